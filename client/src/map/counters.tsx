// The counters on the map.
import { memo } from "preact/compat";
import { useLayoutEffect } from "preact/hooks";
import { selected } from "../selection/state";
import { face, faces } from "../table/faces";
import { live, stacks, yours } from "../table/state";
import type { Counter } from "../wire";
import type { Geometry } from "./geometry";
import { trails } from "./layers";
import { calm, SEEN, STEP } from "./view";

const SIZE = 60;

const BADGES: Record<string, [string, string, string]> = {
  moved: ["»", "round", "dark"],
  fired: ["F", "round", "ox"],
  attacked: ["F", "round", "ox"],
  unsupplied: ["S", "triangle", "gold"],
  disrupted: ["D", "hexagon", "violet"],
  activated: ["A", "round", "teal"],
  reduced: ["", "", ""],
};

const SHAPES: Record<string, string> = {
  round: "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0",
  triangle: "M0-11 11 8-11 8z",
  hexagon: "M-5-9h10l6 9-6 9h-10l-6-9z",
  square: "M-8-8h16v16h-16z",
};

function Badge({ state, at }: { state: string; at: number }) {
  const [letter, shape, tone] = BADGES[state] ?? [state.charAt(0).toUpperCase(), "square", "dark"];
  if (!shape) return null;
  return (
    <g transform={`translate(${SIZE / 2 - 3 - at * 17} ${-SIZE / 2 + 3})`} class={`badge ${tone}`}>
      <path d={SHAPES[shape]} />
      <text y={4.5}>{letter}</text>
    </g>
  );
}

interface PieceProps {
  c: Counter;
  x: number;
  y: number;
  drawing: string | undefined;
  can: boolean;
  chosen: boolean;
  badges: boolean;
  count: number;
}

export const Piece = memo(
  ({ c, x, y, drawing, can, chosen, badges, count }: PieceProps) => {
    const states = (c.states ?? []).filter((s) => BADGES[s]?.[1] !== "");
    const spent = states.includes("moved") || states.includes("activated");
    return (
      <g
        class={`piece ${c.side}${can ? " can" : ""}${chosen ? " chosen" : ""}${spent && !can ? " spent" : ""}`}
        style={{ transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` }}
        data-unit={c.id}
        data-hex={c.hex}
      >
        <rect class="shade" x={-SIZE / 2 + 1} y={-SIZE / 2 + 2.5} width={SIZE} height={SIZE} />
        {(can || chosen) && <rect class="halo" x={-SIZE / 2 - 3.5} y={-SIZE / 2 - 3.5} width={SIZE + 7} height={SIZE + 7} rx={10} />}
        {drawing ? (
          <g transform={`translate(${-SIZE / 2} ${-SIZE / 2}) scale(${SIZE / 100})`} dangerouslySetInnerHTML={{ __html: drawing }} />
        ) : (
          <rect class="blank" x={-SIZE / 2} y={-SIZE / 2} width={SIZE} height={SIZE} rx={7} />
        )}
        {badges && states.slice(0, 2).map((s, i) => <Badge key={s} state={s} at={i} />)}
        {count > 1 && (
          <g transform={`translate(${-SIZE / 2 + 2} ${-SIZE / 2 + 2})`} class="badge dark">
            <circle r={9.5} />
            <text y={4.8}>{count}</text>
          </g>
        )}
      </g>
    );
  },
  (a, b) => a.c === b.c && a.x === b.x && a.y === b.y && a.drawing === b.drawing && a.can === b.can && a.chosen === b.chosen && a.badges === b.badges && a.count === b.count,
);

const HEX_TIME = 180;
const MOST_TIME = 700;

/** Walk the counters that moved last along their ways; a key or a click puts them where they go, at once. */
function useMarch(g: Geometry): void {
  const walked = trails.value;
  useLayoutEffect(() => {
    if (!walked.length || calm() || document.hidden) return;
    const walks = walked.flatMap(({ unit, path }) => {
      const el = document.querySelector<SVGGElement>(`.counters [data-unit="${CSS.escape(unit)}"]`);
      const points = path.flatMap((hex) => g.centre(hex) ?? []);
      if (!el || points.length < 2) return [];
      const end = points.at(-1)!;
      const rest = new DOMMatrix(getComputedStyle(el).transform);
      const [dx, dy] = [rest.e - end.x, rest.f - end.y];
      const frames = points.map((p) => ({ transform: `translate(${p.x + dx}px, ${p.y + dy}px)` }));
      const time = Math.min(MOST_TIME, HEX_TIME * (points.length - 1));
      return [el.animate(frames, { duration: time, easing: "ease-in-out" })];
    });
    return () => {
      for (const walk of walks) walk.finish();
    };
  }, [walked]);
}

export function Counters({ g }: { g: Geometry }) {
  const drawn = faces.value;
  useMarch(g);
  const offers = yours.value ? (live.value?.offers.units ?? {}) : {};
  const chosen = new Set(selected.value);
  const pieces: PieceProps[] = [];
  for (const [hex, stack] of stacks.value) {
    const p = g.centre(hex);
    if (!p) continue;
    const order = [...stack].sort((a, b) => Number(chosen.has(a.id)) - Number(chosen.has(b.id)));
    const back = Math.min(stack.length - 1, SEEN);
    order.forEach((c, i) => {
      const top = i === order.length - 1;
      const up = Math.min(i + Math.max(0, 5 - order.length), 4) - Math.max(0, 4 - back);
      const lift = (Math.max(0, up) - back / 2) * STEP;
      pieces.push({
        c,
        x: p.x - lift,
        y: p.y - 1 + lift,
        drawing: face(c),
        can: !!offers[c.id],
        chosen: chosen.has(c.id),
        badges: top,
        count: top ? stack.length : 1,
      });
    });
  }
  return (
    <g class="counters" data-drawn={drawn}>
      {pieces.map((p) => (
        <Piece key={p.c.id} {...p} />
      ))}
    </g>
  );
}
