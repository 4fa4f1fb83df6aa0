// The past, to be gone through.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { bookmarks, live, past } from "../table/state";
import { backToNow, goTo, whatIf } from "./replay";

export const playing = signal(false);

export function Scrubber() {
  const s = live.value;
  const p = past.value;
  useEffect(() => {
    if (!playing.value || !p) return;
    const timer = setTimeout(() => {
      if (p.n + 1 >= (live.value?.n ?? 0)) playing.value = false;
      void goTo(p.n + 1);
    }, 450);
    return () => clearTimeout(timer);
  }, [p?.n, playing.value]);
  if (!s || !p) return null;
  return (
    <div class="scrubber card" role="group" aria-label="Replay">
      <button type="button" class="btn" onClick={() => void goTo(0)}>
        Start
      </button>
      <button type="button" class="btn" aria-label="One event back" onClick={() => void goTo(p.n - 1)}>
        ‹ <kbd>[</kbd>
      </button>
      <button
        type="button"
        class="btn"
        aria-pressed={playing.value}
        onClick={() => {
          playing.value = !playing.value;
        }}
      >
        {playing.value ? "Pause" : "Play"}
      </button>
      <button type="button" class="btn" aria-label="One event on" onClick={() => void goTo(p.n + 1)}>
        › <kbd>]</kbd>
      </button>
      <input type="range" min={0} max={s.n} value={p.n} aria-label={`Event ${p.n} of ${s.n}`} onInput={(e) => void goTo(Number(e.currentTarget.value))} />
      <span class="cond">
        {p.n} / {s.n} · turn {p.turn}, {p.phase.title}
      </span>
      {bookmarks.value.length > 0 && (
        <select aria-label="Bookmarks" onChange={(e) => e.currentTarget.value && void goTo(Number(e.currentTarget.value))}>
          <option value="">Bookmarks</option>
          {bookmarks.value.map(([n, label]) => (
            <option key={n} value={n}>
              {n}: {label}
            </option>
          ))}
        </select>
      )}
      <button type="button" class="btn" title="A board of your own from here; hidden facts are drawn anew" onClick={() => void whatIf()}>
        What if?
      </button>
      <button type="button" class="btn teal" onClick={backToNow}>
        Now
      </button>
    </div>
  );
}
