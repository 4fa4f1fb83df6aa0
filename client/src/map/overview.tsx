// The small map.

import { geometry, shown } from "../table/state";
import type { Geometry } from "./geometry";
import { centreOn, frame, overview } from "./view";

/** The small map with a frame around what is on the screen; touch it to go there. */
export function Overview() {
  const g = geometry.value;
  const { x, y, k } = overview.value;
  if (!g || !frame) return null;
  const r = frame.getBoundingClientRect();
  const own = shown.value?.table.counters ?? [];
  return (
    <button
      type="button"
      class="overview card"
      aria-label="Overview of the map"
      onClick={(event) => {
        const o = event.currentTarget.getBoundingClientRect();
        const hex = nearest(g, ((event.clientX - o.left) / o.width) * g.width, ((event.clientY - o.top) / o.height) * g.tall);
        if (hex) centreOn(hex);
      }}
    >
      <svg viewBox={`0 0 ${g.width} ${g.tall}`} aria-hidden="true">
        {g.boards.map((b) => (
          <rect key={b.name} class="board" x={b.frame[0]} y={b.frame[1]} width={b.frame[2] - b.frame[0]} height={b.frame[3] - b.frame[1]} />
        ))}
        {own.map((c) => {
          const p = g.centre(c.hex ?? "");
          return p ? <rect key={c.id} class={c.side} x={p.x - 32} y={p.y - 32} width={64} height={64} /> : null;
        })}
        <rect class="seen" x={-x / k} y={-y / k} width={r.width / k} height={r.height / k} />
      </svg>
    </button>
  );
}

function nearest(g: Geometry, x: number, y: number): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const n of g.numbers) {
    const p = g.centre(n)!;
    const d = (p.x - x) ** 2 + (p.y - y) ** 2;
    if (d < least) {
      least = d;
      best = n;
    }
  }
  return best;
}
