// Beyond the edge: lit hexes that are not in sight, which way they lie and how far.
import { computed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { selected, ways } from "../selection/state";
import { announce, geometry, past, shown, yours } from "../table/state";
import { Overview } from "./overview";
import { centreOn, frame, overview } from "./view";

const WAYS = ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];

interface Beyond {
  hex: string;
  count: number;
  away: number;
  way: string;
  from: string;
  to: string;
}

/** The lit hexes beyond the edge, where none is in sight. */
export const beyond = computed<Beyond | null>(() => {
  const g = geometry.value;
  const { x, y, k } = overview.value;
  if (!g || !frame || past.value || !yours.value || !selected.value.length || !ways.value.size) return null;
  const { clientWidth: width, clientHeight: height } = frame;
  const middle = { x: (width / 2 - x) / k, y: (height / 2 - y) / k };
  const lit = [...ways.value.keys()].flatMap((hex) => {
    const p = g.centre(hex);
    if (!p) return [];
    const [left, top] = [x + k * p.x, y + k * p.y];
    return [{ hex, p, seen: left > 0 && top > 0 && left < width && top < height, d: Math.hypot(p.x - middle.x, p.y - middle.y) }];
  });
  if (!lit.length || lit.some((h) => h.seen)) return null;
  const near = lit.reduce((best, h) => (h.d < best.d ? h : best));
  const turn = Math.round(Math.atan2(near.p.y - middle.y, near.p.x - middle.x) / (Math.PI / 4));
  const sorted = lit.map((h) => h.hex).sort();
  return { hex: near.hex, count: lit.length, away: Math.round(near.d / g.height), way: WAYS[(turn + 8) % 8]!, from: sorted[0]!, to: sorted.at(-1)! };
});

const far = (b: Beyond): boolean => {
  const g = geometry.value;
  if (!g || !frame) return false;
  return b.away * g.height * overview.value.k > 1.5 * Math.max(frame.clientWidth, frame.clientHeight);
};

/** Go to the lit hexes. */
export function jump(): void {
  const hex = beyond.value?.hex ?? [...ways.value.keys()][0];
  if (hex) centreOn(hex);
}

/** Near ones come into sight by themselves, far ones are pointed at. */
export function Edge() {
  const b = beyond.value;
  const chosen = selected.value.join();
  useEffect(() => {
    const there = beyond.value;
    if (!there) return;
    announce(`${there.count} lit hexes, ${there.away} hexes ${there.way}. Press J to go there.`);
    if (!far(there)) centreOn(there.hex);
  }, [chosen, ways.value]);
  if (!b) return null;
  const side = /south/.test(b.way) ? "south" : /north/.test(b.way) ? "north" : b.way;
  return (
    <>
      <div class={`breath ${side}`} aria-hidden="true" />
      <button type="button" class={`edge ${side}`} onClick={jump}>
        <svg viewBox="0 0 20 20" aria-hidden="true" style={{ transform: `rotate(${45 * WAYS.indexOf(b.way)}deg)` }}>
          <path d="M4 10h11M10.500 5l5 5-5 5" />
        </svg>
        <span>
          <b>
            Lit hexes {b.away > 12 ? "about " : ""}
            {b.away} hexes {b.way}
          </b>
          <small>{b.count === 1 ? b.from : `${b.count} of them, ${b.from} to ${b.to}`}</small>
        </span>
        <kbd>J</kbd>
      </button>
      {shown.value && <Overview />}
    </>
  );
}
