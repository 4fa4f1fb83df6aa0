// Since your turn: the enemy's turn as a story of a few lines, to be stepped through on the map.
import { useEffect } from "preact/hooks";
import { announce, live, past, sideName } from "../table/state";
import { CaseLink, Linked, Remarks } from "../words/pieces";
import { percent, printed } from "../words/text";
import { backToNow, goTo } from "./replay";
import { playing } from "./scrubber";
import { closeDigest, digest, type Fought, kept, type Since } from "./since";

const MOST = 8;

/** The step before or after the one in hand. */
export function stepDigest(by: number): boolean {
  const d = digest.value;
  if (!d?.steps.length) return false;
  const here = past.value?.n ?? Number.POSITIVE_INFINITY;
  const next = by < 0 ? d.steps.findLast((e) => e.n < here) : d.steps.find((e) => e.n > here);
  if (next) void goTo(next.n);
  else if (by > 0) backToNow();
  return true;
}

function Line({ f, here }: { f: Fought; here: boolean }) {
  const [first, second] = f.hurt;
  return (
    <li class={here ? "here" : ""} data-fight={f.number}>
      <button type="button" class="disc" aria-label={`Show fight ${f.number}`} onClick={() => void goTo(f.n)}>
        {f.number}
      </button>
      <p>
        {f.side === live.value?.audience && "Yours: "}
        <Linked text={[f.title, ...f.hexes.filter((h) => !f.title.includes(h))].join(" ")} />
        {f.column ? `, ${f.column}` : ""}
        {f.dice.length ? `, die ${f.dice.join(", ")}` : ""}: <b>{printed(f.code)}</b>
        {[first, second].map(
          (h, i) =>
            h && (
              <span key={i} class={h.mine ? "ox" : ""}>
                <Linked text={h.text} /> <CaseLink number={h.case} />
              </span>
            ),
        )}
        {f.hurt.length > 2 && <span class="mute">and {f.hurt.length - 2} more</span>}
      </p>
      <em>{percent(f.chance)} %</em>
    </li>
  );
}

function Ticks({ d }: { d: Since }) {
  const here = past.value?.n;
  return (
    <div class="ticks">
      <button type="button" class="btn" aria-label="Step back" onClick={() => stepDigest(-1)}>
        ◂ <kbd>[</kbd>
      </button>
      <span aria-hidden="true">
        {d.steps.slice(0, 90).map((e) => (
          <i key={e.n} class={`${e.fight ? "high" : ""}${e.n === here ? " here" : ""}`} />
        ))}
      </span>
      <button type="button" class="btn" aria-label="Step on" onClick={() => stepDigest(1)}>
        ▸ <kbd>]</kbd>
      </button>
    </div>
  );
}

export function Digest() {
  const d = digest.value;
  useEffect(() => {
    if (d && !past.value)
      announce(
        `Your turn ${live.value?.turn}, ${live.value?.phase.title}. Since your turn: ${d.moves} moves, ${d.attacks} attacks, you lost ${d.lost} steps, the enemy ${d.enemyLost}. Press left bracket to step back.`,
      );
  }, [d?.last]);
  if (!d) return null;
  const fights = d.fights.length > MOST ? [...d.fights].sort((a, b) => Number(b.hurt.some((h) => h.mine)) - Number(a.hurt.some((h) => h.mine)) || a.number - b.number) : d.fights;
  const here = past.value?.n ?? -1;
  const tallies: [number, string, boolean][] = [
    [d.moves, d.moves === 1 ? "move" : "moves", false],
    [d.attacks, d.attacks === 1 ? "attack" : "attacks", false],
    [d.lost, d.lost === 1 ? "step lost" : "steps lost", d.lost > 0],
    [d.enemyLost, "enemy lost", false],
  ];
  return (
    <section class="digest card" aria-label="Since your turn">
      <header>
        <h2>Since your turn</h2>
        <small>
          {d.phases.map((p) => p.replace(new RegExp(`^${sideName(d.side)} `, "i"), "")).join(", ")} · {sideName(d.side)}, turn {d.turn}
        </small>
      </header>
      <ul class="tallies">
        {tallies.map(([n, words, bad]) => (
          <li key={words} class={bad ? "ox" : ""}>
            <b>{n}</b>
            {words}
          </li>
        ))}
      </ul>
      <Ticks d={d} />
      <ol>
        {fights.slice(0, MOST).map((f) => (
          <Line key={f.n} f={f} here={f.n === here} />
        ))}
      </ol>
      {d.fights.length > MOST && <p class="more mute">{d.fights.length - MOST} more in the record</p>}
      {d.why.length > 0 && (
        <details class="why">
          <summary>Why did it do that?</summary>
          <Remarks texts={d.why.slice(0, MOST)} />
        </details>
      )}
      <Remarks texts={d.places} tone="place" />
      <div class="acts wrap">
        <button
          type="button"
          class="btn go"
          onClick={() => {
            void goTo(d.first - 1);
            playing.value = true;
          }}
        >
          Play it again
        </button>
        <button type="button" class="btn" aria-pressed={kept.value} onClick={() => (kept.value = !kept.value)}>
          {kept.value ? "Drop the trails" : "Keep the trails"} <kbd>E</kbd>
        </button>
        <button type="button" class="btn" onClick={closeDigest}>
          Close
        </button>
      </div>
    </section>
  );
}
