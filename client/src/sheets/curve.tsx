// The score had the game ended there, phase by phase: only what one's side may know.
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../net";
import { goTo } from "../replay/replay";
import { live, sheet, sideName, welcome } from "../table/state";
import type { Score } from "../wire";
import { signed } from "../words/text";

const scores = signal<Score[]>([]);
const [WIDE, TALL, LEFT, FOOT] = [500, 150, 40, 20];

export function Curve() {
  const w = welcome.value;
  const at = useSignal<number | null>(null);
  useEffect(() => {
    scores.value = [];
    if (w) void get<Score[]>(`/api/matches/${w.match}/curve`).then((found) => (scores.value = found), Boolean);
  }, [live.value?.version]);
  const all = scores.value;
  if (!w || all.length < 3) return null;
  const most = all.at(-1)!.n || 1;
  const values = all.map((s) => s.score);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = high - low || 1;
  const x = (n: number): number => LEFT + ((WIDE - LEFT - 8) * n) / most;
  const y = (v: number): number => 10 + ((TALL - FOOT - 14) * (high - v)) / span;
  let line = `M${x(0)} ${y(0)}`;
  let before = 0;
  for (const s of all) {
    line += `V${y(s.score)}H${x(s.n)}`;
    before = s.n;
  }
  const turns = [...new Map(all.map((s) => [s.turn, s]))].map(([turn, s], i, list) => ({ turn, s, from: i ? list[i - 1]![1].n : 0 }));
  const chosen = at.value === null ? undefined : turns[at.value];
  const step = (by: number): void => {
    at.value = Math.max(0, Math.min(turns.length - 1, (at.value ?? (by > 0 ? -1 : turns.length)) + by));
  };
  const open = (n: number): void => {
    sheet.value = null;
    void goTo(n);
  };
  return (
    <figure class="scores">
      <h3>Score, had it ended there</h3>
      <button
        type="button"
        class="plot"
        aria-label={`Curve of the score, ${sideName(w.game.sides[0])} above nought. Left and right walk the turns, Enter shows the position.`}
        onKeyDown={(e) => {
          if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
          step(e.key === "ArrowRight" ? 1 : -1);
          e.preventDefault();
        }}
        onClick={() => chosen && open(chosen.s.n)}
      >
        <svg viewBox={`0 0 ${WIDE} ${TALL}`} aria-hidden="true" data-last={before}>
          <defs>
            <clipPath id="above">
              <rect width={WIDE} height={y(0)} />
            </clipPath>
            <clipPath id="below">
              <rect y={y(0)} width={WIDE} height={TALL} />
            </clipPath>
          </defs>
          {turns.map(({ turn, s, from }, i) => (
            <g key={turn} onPointerEnter={() => (at.value = i)}>
              <rect class={`band${turn % 2 ? "" : " even"}`} x={x(from)} y={6} width={Math.max(0, x(s.n) - x(from))} height={TALL - FOOT - 4} />
              <text x={(x(from) + x(s.n)) / 2} y={TALL - 5}>
                {turn}
              </text>
            </g>
          ))}
          <path class={w.game.sides[0]} clip-path="url(#above)" d={`${line}V${y(0)}Z`} />
          <path class={w.game.sides[1]} clip-path="url(#below)" d={`${line}V${y(0)}Z`} />
          <path class="line" d={line} />
          {[...new Set([low, 0, high])].map((v) => (
            <text key={v} class="axis" x={LEFT - 6} y={y(v) + 4}>
              {signed(v)}
            </text>
          ))}
          {chosen && <path class="hair" d={`M${x(chosen.s.n)} 4V${TALL - FOOT}`} />}
        </svg>
      </button>
      <figcaption aria-live="polite">
        {chosen ? `Turn ${chosen.turn}: ${signed(chosen.s.score)}, ${chosen.s.level}. Enter or a click shows it.` : "Point at a turn, or walk with the arrows."}
      </figcaption>
    </figure>
  );
}
