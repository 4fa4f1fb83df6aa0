// Advice on the map: pencil, dashed, numbered; the chosen one filled.
import type { Geometry } from "../map/geometry";
import { attacks, chosen, points } from "./state";

export function Pencil({ g }: { g: Geometry }) {
  const found = points.value;
  if (!found) return null;
  return (
    <g class="pencil">
      {found.map((c, i) => {
        const on = i === chosen.value;
        if (!on && c.kind !== "attack") return null;
        const p = g.centre(c.hex);
        const number = attacks.value.indexOf(c) + 1;
        return (
          <g key={i} class={on ? "on" : ""} data-advice={c.hex}>
            {g.has(c.hex) && <polygon points={g.polygon(c.hex, 2)} />}
            {c.arrows.map(([from, to]) => {
              const a = g.centre(from);
              const b = g.centre(to);
              if (!a || !b) return null;
              const d = Math.hypot(b.x - a.x, b.y - a.y) || 1;
              const [dx, dy] = [(b.x - a.x) / d, (b.y - a.y) / d];
              return <path key={`${from} ${to}`} d={`M${a.x + 30 * dx} ${a.y + 30 * dy}L${b.x - 34 * dx} ${b.y - 34 * dy}`} marker-end="url(#tip-pencil)" />;
            })}
            {p && number > 0 && (
              <g class="number" transform={`translate(${p.x + 34} ${p.y - 34})`}>
                <circle r={15} />
                <text y={6}>{number}</text>
              </g>
            )}
          </g>
        );
      })}
    </g>
  );
}
