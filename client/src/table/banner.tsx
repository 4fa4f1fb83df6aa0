// When the turn comes to you: a strip that says whose turn it is, when, what arrives and what is ready.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { counters, live, log, shown, sideName, welcome, yours } from "./state";

/** Turns whose banner was folded. */
const folded = signal("");

const key = (): string => `${welcome.value?.match} ${live.value?.turn} ${live.value?.phase.side}`;
export const bannerShown = (): boolean => yours.value && !!live.value && live.value.phase.side === live.value.audience && folded.value !== key();
export const foldBanner = (): void => {
  folded.value = key();
};

export function Banner() {
  const s = live.value;
  const w = welcome.value;
  const open = bannerShown();
  const begun = !!s && log.value.some((e) => e.turn === s.turn && e.of === s.audience && e.side === s.audience && e.text);
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(foldBanner, 6000);
    return () => clearTimeout(timer);
  }, [open, s?.turn, s?.phase.side]);
  if (!s || !w || !open || begun) return null;
  const boxes = new Map((shown.value?.table.boxes ?? []).map((b) => [b.id, b]));
  const due = [...counters.value.values()].filter((c) => c.box && boxes.get(c.box)?.turn === s.turn);
  const mine = due.filter((c) => c.side === s.audience).length;
  const theirs = due.length - mine;
  const other = w.game.sides.find((side) => side !== s.audience);
  return (
    <section class="banner" aria-label="Your turn">
      <b class="turn">{s.turn}</b>
      <div>
        <h2>Your turn: {s.phase.title}</h2>
        <p>
          {[w.game.calendar[s.turn - 1], mine ? `${mine} ${mine === 1 ? "unit arrives" : "units arrive"}` : "", ...(s.table.lines ?? []).slice(0, 2)].filter(Boolean).join(" · ")}
          {theirs > 0 && (
            <i>
              {" "}
              · {sideName(other)} gets {theirs} after you
            </i>
          )}
        </p>
      </div>
      <button type="button" class="quiet" onClick={foldBanner}>
        fold
      </button>
    </section>
  );
}
