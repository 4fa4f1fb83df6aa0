// The map: land drawn once, overlays and counters above it, pan and zoom by one transform.
import { signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { select } from "d3-selection";
import "d3-transition";
import { type D3ZoomEvent, zoom, type ZoomBehavior, zoomIdentity, zoomTransform } from "d3-zoom";
import type { RefObject } from "preact";
import { memo } from "preact/compat";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Geometry, Point } from "./geometry";
import { fetched } from "./net";
import {
  choices,
  counters,
  face,
  faces,
  focused,
  geometry,
  hovered,
  landOf,
  lastMoves,
  layers,
  lines,
  live,
  look,
  looked,
  palette,
  past,
  pointed,
  selected,
  settings,
  shown,
  slip,
  skip,
  stacks,
  threats,
  touch,
  trails,
  ways,
  weighed,
  welcome,
  whyNot,
  yours,
  zones,
} from "./state";
import type { Board, Counter, Marker } from "./types";
import { CaseLink, fraction } from "./words";

/** Where the map lies on the screen, once it has come to rest. */
export const overview = signal({ x: 0, y: 0, k: 1 });

const SIZE = 60;
const STEP = 4.6;

let behaviour: ZoomBehavior<HTMLDivElement, unknown> | undefined;
let frame: HTMLDivElement | null = null;

const calm = (): boolean => !settings.value.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
const gently = (time: number): number => (calm() ? 0 : time);

/** Leave out what would only clutter at this size of a hex on the screen. */
function detail(el: HTMLElement, hex: number): void {
  const level = hex < 50 ? "far" : hex < 80 ? "mid" : "near";
  const tiny = String(hex < 26);
  if (el.dataset.tiny !== tiny) el.dataset.tiny = tiny;
  if (el.dataset.zoom === level) return;
  el.dataset.zoom = level;
  for (const map of el.querySelectorAll(".ladoga-map")) {
    map.classList.toggle("far", level === "far");
    map.classList.toggle("mid", level === "mid");
  }
}

/** Show the whole of one board, or of all. */
export function fit(boardName?: string, time = 220): void {
  const g = geometry.value;
  if (!frame || !behaviour || !g) return;
  const board = g.boards.find((b) => b.name === boardName);
  const [left, top, right, bottom] = board?.frame ?? [0, 0, g.width, g.tall];
  const { width, height } = frame.getBoundingClientRect();
  const scale = Math.min(width / (right - left), height / (bottom - top)) * 0.98;
  const to = zoomIdentity
    .translate(width / 2 - (scale * (left + right)) / 2, height / 2 - (scale * (top + bottom)) / 2)
    .scale(scale);
  if (time) select(frame).transition().duration(gently(time)).call(behaviour.transform, to);
  else select(frame).call(behaviour.transform, to);
}

export function zoomBy(factor: number): void {
  if (frame && behaviour) select(frame).transition().duration(gently(160)).call(behaviour.scaleBy, factor);
}

/** How far to shift the map so that a point comes to the middle, without pulling its edge far into the view. */
const kept = (view: number, at: number, size: number, rim = 70): number =>
  size + 2 * rim < view ? (view - size) / 2 : Math.max(view - size - rim, Math.min(rim, view / 2 - at));

/** Room beside the map, so that no hex stays under the cards in the corners. */
const aside = (width: number): number => Math.min(240, width / 4);

/** Bring a hex into the middle of what can be seen. */
export function centreOn(hex: string, always = true): void {
  const g = geometry.value;
  const p = g?.centre(hex);
  if (!frame || !behaviour || !g || !p) return;
  const t = zoomTransform(frame);
  const { width, height, left, top } = frame.getBoundingClientRect();
  const [x, y] = t.apply([p.x, p.y]);
  const inside = x > 60 && y > 60 && x < width - 60 && y < height - 60;
  if (!always && inside && document.elementFromPoint(left + x, top + y)?.closest(".map")) return;
  const k = Math.max(t.k, 0.42);
  const to = zoomIdentity.translate(kept(width, k * p.x, k * g.width, aside(width)), kept(height, k * p.y, k * g.tall)).scale(k);
  select(frame).transition().duration(gently(220)).call(behaviour.transform, to);
}

/** Look at where the pieces are, as close as fits; where they lie too far apart, at the middle of one's own. */
export function fitFront(): void {
  const g = geometry.value;
  const points = [...stacks.value.keys()].map((h) => g?.centre(h)).filter((p): p is Point => !!p);
  if (!frame || !behaviour || !g) return;
  // Behind a curtain nobody is seen yet: the size is right already, so that the land is drawn only once.
  if (!points.length) points.push({ x: 0, y: 0 }, { x: g.width, y: g.tall });
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const pad = 120;
  const [left, right, top, bottom] = [Math.min(...xs) - pad, Math.max(...xs) + pad, Math.min(...ys) - pad, Math.max(...ys) + pad];
  const { width, height } = frame.getBoundingClientRect();
  const least = 0.6; // smaller figures are hard to read
  const few = points.length < 4; // a map to be filled yet: not too close
  const k = Math.min(few ? least : 1.1, Math.max(least, Math.min(width / (right - left), height / (bottom - top))));
  const mine = [...stacks.value].filter(([, s]) => s[0]?.side === shown.value?.audience).flatMap(([h]) => g.centre(h) ?? []);
  const own = mine.length ? mine : points;
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
  const middle =
    k === least && own.length
      ? { x: median(own.map((p) => p.x)), y: median(own.map((p) => p.y)) }
      : { x: (left + right) / 2, y: (top + bottom) / 2 };
  const to = zoomIdentity.translate(kept(width, k * middle.x, k * g.width), kept(height, k * middle.y, k * g.tall)).scale(k);
  select(frame).call(behaviour.transform, to);
}

/** Pan and zoom of a map: one transform of everything in `world`. */
export function usePanZoom(box: RefObject<HTMLDivElement>, world: RefObject<HTMLDivElement>, g: Geometry | null, begin: () => void, ready = true): void {
  useLayoutEffect(() => {
    const el = box.current;
    const drawing = world.current;
    if (!el || !drawing || !g) return;
    frame = el;
    let rest = 0;
    behaviour = zoom<HTMLDivElement, unknown>()
      .scaleExtent([0.12, 4])
      .translateExtent([
        [-500, -400],
        [g.width + 500, g.tall + 400],
      ])
      .filter((event: Event & { button?: number; ctrlKey?: boolean }) => !event.button)
      .clickDistance(5)
      .on("zoom", (event: D3ZoomEvent<HTMLDivElement, unknown>) => {
        const { x, y, k } = event.transform;
        drawing.style.transform = `translate3d(${x}px, ${y}px, 0) scale(${k})`;
        // While the size changes the map keeps its pixels; at rest it is drawn afresh.
        if (overview.value.k !== k) drawing.classList.add("growing");
        clearTimeout(rest);
        rest = window.setTimeout(() => {
          detail(el, k * g.height);
          drawing.classList.remove("growing");
          overview.value = { x, y, k };
        }, 140);
      });
    select(el).call(behaviour).on("dblclick.zoom", null);
    return () => {
      select(el).on(".zoom", null);
      frame = null;
    };
  }, [g]);
  useLayoutEffect(() => {
    const el = box.current;
    if (!g || !el) return;
    begin();
    if (el.dataset.land === "ready") return;
    const { x, y, k } = zoomTransform(el);
    world.current?.classList.remove("growing");
    overview.value = { x, y, k };
  }, [g, ready]);
}

/** Lay the drawing of a board down, in place of any earlier one; names go above everything else. */
export function layDown(box: HTMLDivElement, land: SVGGElement, names: SVGGElement, g: Geometry, board: Board, drawing: string): void {
  const root = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "g");
  holder.setAttribute("transform", `translate(${board.dx} ${board.dy})`);
  holder.setAttribute("class", root.getAttribute("class") ?? "");
  holder.dataset.board = board.name;
  holder.append(...root.childNodes);
  const above = holder.cloneNode(false) as SVGGElement;
  for (const group of holder.querySelectorAll("g.names")) above.append(group);
  for (const [layer, part] of [[land, holder], [names, above]] as const) {
    const earlier = layer.querySelector(`:scope > [data-board="${CSS.escape(board.name)}"]`);
    if (earlier) earlier.replaceWith(part);
    else layer.append(part);
  }
  box.dataset.zoom = "";
  detail(box, zoomTransform(box).k * g.height);
}

/** The hex under the pointer, and where in the map that is. */
export function pointAt(box: HTMLDivElement, event: { clientX: number; clientY: number }): Point {
  const r = box.getBoundingClientRect();
  const [x, y] = zoomTransform(box).invert([event.clientX - r.left, event.clientY - r.top]);
  return { x, y };
}

export function MapView() {
  const box = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const land = useRef<SVGGElement>(null);
  const names = useRef<SVGGElement>(null);
  const g = geometry.value;
  const colours = palette.value;
  const match = welcome.value;
  usePanZoom(box, world, g, fitFront, !!shown.value);

  useEffect(() => {
    if (!g || !match) return;
    let dropped = false;
    const base = match.own_map ? `/api/matches/${match.match}` : `/api/games/${match.game.id}`;
    void Promise.all(g.boards.map(async (b) => ({ b, text: await (await fetched(landOf(base, b.name))).text() }))).then((parts) => {
      if (dropped || !box.current || !land.current || !names.current) return;
      for (const { b, text } of parts) layDown(box.current, land.current, names.current, g, b, text);
      box.current.dataset.land = "ready";
      performance.mark("land");
    });
    return () => {
      dropped = true;
    };
  }, [g, colours, match?.match]);

  const hexAt = (event: { clientX: number; clientY: number }): string | undefined => {
    if (!box.current || !g) return undefined;
    const { x, y } = pointAt(box.current, event);
    return g.at(x, y);
  };
  const timer = useRef(0);
  const held = useRef(0);

  return (
    <div
      ref={box}
      class="map"
      tabIndex={0}
      role="application"
      aria-label="Map. Arrow keys step from hex to hex, Enter acts, full stop goes to the next unit, K lists all keys."
      aria-describedby="focus-words"
      onClick={(event) => {
        const hex = hexAt(event);
        if (hex) {
          focused.value = hex;
          void touch(hex);
        }
      }}
      onPointerMove={(event) => {
        if (event.pointerType === "touch" || event.buttons) return;
        const hex = hexAt(event) ?? null;
        if (hovered.value === hex) return;
        hovered.value = hex;
        slip.value = null;
        clearTimeout(timer.current);
        if (hex) timer.current = window.setTimeout(() => void hoverRest(hex), 170);
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current);
        hovered.value = null;
      }}
      onPointerDown={(event) => {
        skip();
        if (event.pointerType !== "touch") return;
        const hex = hexAt(event);
        clearTimeout(held.current);
        held.current = window.setTimeout(() => hex && void hoverRest(hex), 550);
      }}
      onPointerUp={() => clearTimeout(held.current)}
    >
      {g && (
        <div ref={world} class="world" style={{ width: `${g.width}px`, height: `${g.tall}px` }} aria-hidden="true">
          <svg class="ground" width={g.width} height={g.tall} viewBox={`0 0 ${g.width} ${g.tall}`}>
            <g ref={land} class={layers.value.numbers ? "land" : "land plain"} />
          </svg>
          <svg class="pieces" width={g.width} height={g.tall} viewBox={`0 0 ${g.width} ${g.tall}`}>
            <defs>
              <pattern id="stripes" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="3.4" height="7" fill="currentColor" />
              </pattern>
              {(["teal", "ox", "mute"] as const).map((c) => (
                <marker key={c} id={`tip-${c}`} viewBox="0 0 10 10" refX="6.5" refY="5" markerWidth="4.4" markerHeight="4.4" orient="auto">
                  <path d="M0 0.600 10 5 0 9.400z" fill={`var(--${c})`} />
                </marker>
              ))}
            </defs>
            <Zones g={g} />
            <Reach g={g} />
            <Supply g={g} />
            <Markers g={g} />
            <Threat g={g} />
            <Offered g={g} />
            {layers.value.counters && <Counters g={g} />}
            <Arrows g={g} />
            <g ref={names} class="town-names" />
            <Rings g={g} />
          </svg>
        </div>
      )}
      <Slip g={g} />
      <span id="focus-words" class="sr" />
    </div>
  );
}

async function hoverRest(hex: string): Promise<void> {
  void look(hex);
  if (selected.value.length && yours.value) await whyNot(hex);
}

function Zones({ g }: { g: Geometry }) {
  const on = layers.value.zoc && !past.value;
  if (!on) return null;
  return (
    <g class="zones">
      {Object.entries(zones.value).map(([side, hexes]) => (
        <path key={side} class={`zone ${side}`} d={g.contour(hexes)} />
      ))}
    </g>
  );
}

function Reach({ g }: { g: Geometry }) {
  const by = ways.value;
  if (!layers.value.reach || !by.size || past.value) return null;
  const reach = choices.value?.reach ?? {};
  const start = counters.value.get(selected.value[0] ?? "");
  const foe = new Set(Object.entries(zones.value).flatMap(([side, hexes]) => (side === start?.side ? [] : hexes)));
  const hexes = [...by.keys()];
  const path = g.contour(start?.hex ? [...hexes, start.hex] : hexes);
  return (
    <g class="reach">
      <path class="reach-land" d={path} />
      <path class="reach-glow" d={path} />
      <path class="reach-edge" d={path} />
      {hexes.map((hex) => {
        const p = g.centre(hex);
        const fight = by.get(hex)?.some((o) => choices.value?.weighed.includes(o.verb));
        if (!p) return null;
        if (fight) return <polygon key={hex} data-way={hex} class="target-hex" points={g.polygon(hex, 5)} />;
        const left = reach[hex]?.[0];
        if (left === undefined) return <circle key={hex} data-way={hex} class="reach-dot" cx={p.x} cy={p.y} r={7} />;
        return (
          <g key={hex} data-way={hex} transform={`translate(${p.x} ${p.y})`} class="points">
            {foe.has(hex) && <rect x={-17} y={-17} width={34} height={34} transform="rotate(45)" class="halt" />}
            <text y={10}>{fraction(left)}</text>
          </g>
        );
      })}
    </g>
  );
}

function Supply({ g }: { g: Geometry }) {
  if (!layers.value.supply || past.value) return null;
  const one = selected.value[0];
  const drawn = Object.entries(lines.value).filter(([unit, t]) => (one ? unit === one : true) && (t.path.length > 1 || !t.supplied));
  return (
    <g class="supply">
      {drawn.map(([unit, t]) => {
        const points = t.path.map((h) => g.centre(h)).filter((p): p is Point => !!p);
        const cut = t.cut ? g.centre(t.cut) : undefined;
        const at = g.centre(counters.value.get(unit)?.hex ?? "");
        return (
          <g key={unit}>
            {points.length > 1 && t.supplied && <polyline points={points.map((p) => `${p.x},${p.y}`).join(" ")} />}
            {!t.supplied && at && <circle cx={at.x} cy={at.y} r={42} class="cut" />}
            {!t.supplied && cut && (
              <g transform={`translate(${cut.x} ${cut.y})`}>
                <path class="cut-mark" d="M-10-10 10 10M10-10-10 10" />
              </g>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** The best odds that the enemy could bring against each stack from where he stands. */
function Threat({ g }: { g: Geometry }) {
  if (!layers.value.threat || past.value) return null;
  return (
    <g class="threat">
      {Object.entries(threats.value).flatMap(([hex, t]) => {
        const p = g.centre(hex);
        if (!p || !stacks.value.has(hex)) return [];
        const wide = Math.max(30, 11 + 8 * t.column.length);
        return [
          <g key={hex} data-threat={hex} transform={`translate(${p.x} ${p.y})`} style={{ opacity: 0.55 + 0.45 * t.hurt }}>
            <circle r={44} />
            <g transform="translate(0 43)">
              <rect x={-wide / 2} y={-11} width={wide} height={22} rx={11} class="count" />
              <text y={5}>{t.column}</text>
            </g>
          </g>,
        ];
      })}
    </g>
  );
}

function Markers({ g }: { g: Geometry }) {
  const markers = (shown.value?.table.markers ?? []).filter((m) => layers.value.control || !m.kind.includes("control"));
  return (
    <g class="markers">
      {markers.map((m) => {
        const p = g.centre(m.hex);
        return p ? <MarkerShape key={`${m.hex} ${m.kind} ${m.side ?? ""}`} marker={m} p={p} polygon={g.polygon(m.hex, 9)} /> : null;
      })}
    </g>
  );
}

function MarkerShape({ marker, p, polygon }: { marker: Marker; p: Point; polygon: string }) {
  if (marker.kind.includes("fort"))
    return (
      <path
        class={`fort ${marker.side ?? ""}`}
        transform={`translate(${p.x} ${p.y})`}
        d="M-38-38h13l5 7h40l5-7h13v13l-7 5v40l7 5v13h-13l-5-7h-40l-5 7h-13v-13l7-5v-40l-7-5z"
      />
    );
  if (marker.kind.includes("control"))
    return (
      <g transform={`translate(${p.x} ${p.y + 38})`} class={`control ${marker.side ?? ""}`}>
        {marker.side === "soviet" ? <path d="M-5-8h10l4 4v8l-4 4h-10l-4-4v-8z" /> : <rect x={-9} y={-8} width={18} height={16} rx={4} />}
      </g>
    );
  if (marker.kind.includes("interdict") || marker.kind.includes("rubble"))
    return (
      <g class={`mark-hex ${marker.side ?? ""}`}>
        <polygon points={polygon} />
        <text x={p.x} y={p.y + 40}>
          {marker.label || marker.kind}
        </text>
      </g>
    );
  return (
    <g transform={`translate(${p.x + 30} ${p.y + 30})`} class={`chit ${marker.side ?? ""}`}>
      <rect x={-17} y={-10} width={34} height={20} rx={4} />
      <text y={5}>{(marker.label || marker.kind).slice(0, 6)}</text>
    </g>
  );
}

function Offered({ g }: { g: Geometry }) {
  if (!yours.value) return null;
  const hexes = Object.entries(live.value?.offers.hexes ?? {});
  const kind = (orders: string[]): string => (orders.some((o) => o.startsWith("target")) ? "aim" : "open");
  // Many empty hexes are one lit area, so that those with somebody in them still stand out.
  const empty = hexes.flatMap(([hex]) => (stacks.value.has(hex) ? [] : hex));
  const broad = empty.length > 16 ? kind(hexes.find(([hex]) => hex === empty[0])![1]) : "";
  return (
    <g class="offered">
      {broad && <path class={`${broad} broad`} d={g.contour(empty)} />}
      {hexes.map(([hex, orders]) => (
        <polygon key={hex} data-offer={hex} class={`${kind(orders)}${broad && !stacks.value.has(hex) ? " one" : ""}`} points={g.polygon(hex, 4)} />
      ))}
    </g>
  );
}

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
        <rect class="shade" x={-SIZE / 2 + 1} y={-SIZE / 2 + 2.5} width={SIZE} height={SIZE} rx={c.side === "soviet" ? 17 : 8} />
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
  (a, b) =>
    a.c === b.c && a.x === b.x && a.y === b.y && a.drawing === b.drawing && a.can === b.can && a.chosen === b.chosen && a.badges === b.badges && a.count === b.count,
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

function Counters({ g }: { g: Geometry }) {
  const drawn = faces.value;
  useMarch(g);
  const offers = yours.value ? (live.value?.offers.units ?? {}) : {};
  const chosen = new Set(selected.value);
  const pieces: PieceProps[] = [];
  for (const [hex, stack] of stacks.value) {
    const p = g.centre(hex);
    if (!p) continue;
    const order = [...stack].sort((a, b) => Number(chosen.has(a.id)) - Number(chosen.has(b.id)));
    const back = Math.min(stack.length - 1, 4);
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

function Arrows({ g }: { g: Geometry }) {
  const hex = hovered.value ?? focused.value;
  const going = hex && !past.value ? ways.value.get(hex) : undefined;
  const start = counters.value.get(selected.value[0] ?? "")?.hex;
  const moves = layers.value.moves && !past.value && !selected.value.length ? Object.entries(lastMoves.value) : [];
  const way = hex ? choices.value?.reach[hex] : undefined;
  const path = going?.length ? (way?.[2]?.length ? way[2] : going[0]!.hexes) : [];
  const whole = start && path.length && path[0] !== start ? [start, ...path] : path;
  const points = whole.map((h) => g.centre(h)).filter((p): p is Point => !!p);
  const fight = going?.some((o) => choices.value?.weighed.includes(o.verb));
  const tone = fight ? "ox" : "teal";
  const blow = useBlow(g);
  const ways_ = new Map(trails.value.map(({ path }) => [path.join(), path]));
  return (
    <g class="arrows">
      {[...ways_].map(([key, hexes]) => {
        const line = hexes.flatMap((h) => g.centre(h) ?? []).map((p) => `${p.x},${p.y}`).join(" ");
        return <polyline key={key} class="went" points={line} marker-end="url(#tip-mute)" />;
      })}
      {moves.map(([unit, [from, to]]) => {
        const a = g.centre(from);
        const b = g.centre(to);
        return a && b ? <path key={unit} class="trail" d={`M${a.x} ${a.y}L${b.x} ${b.y}`} marker-end="url(#tip-mute)" /> : null;
      })}
      {blow.map(({ a, b, key }) => (
        <g key={key}>
          <path class="casing" d={`M${a.x} ${a.y}L${b.x} ${b.y}`} />
          <path class="blow" d={`M${a.x} ${a.y}L${b.x} ${b.y}`} marker-end="url(#tip-ox)" />
        </g>
      ))}
      {points.length > 1 && (
        <>
          <polyline class="casing" points={points.map((p) => `${p.x},${p.y}`).join(" ")} />
          <polyline class={`path ${tone}`} points={points.map((p) => `${p.x},${p.y}`).join(" ")} marker-end={`url(#tip-${tone})`} />
        </>
      )}
    </g>
  );
}

/** The hex that the weighed attack strikes: named in the order, or in the title of one being composed. */
function struck(g: Geometry): string | undefined {
  const e = weighed.value?.explanation;
  return e && `${e.title} ${e.order}`.split(/[\s-]+/).findLast((w) => g.has(w));
}

/** Arrows from the attackers of the weighed order to its target. */
function useBlow(g: Geometry): { a: Point; b: Point; key: string }[] {
  const target = struck(g);
  const b = target ? g.centre(target) : undefined;
  if (!b) return [];
  const named = (weighed.value?.explanation.order.split(" ")[1] ?? "").split("+");
  const fighting = [...counters.value.values()].filter((c) => named.includes(c.id) || c.states?.includes("attacking"));
  const from = new Set(fighting.map((c) => c.hex ?? ""));
  return [...from].flatMap((h) => {
    const a = g.centre(h);
    if (!a || h === target) return [];
    const d = Math.hypot(b.x - a.x, b.y - a.y);
    const [dx, dy] = [(b.x - a.x) / d, (b.y - a.y) / d];
    return [{ a: { x: a.x + 28 * dx, y: a.y + 28 * dy }, b: { x: b.x - 30 * dx, y: b.y - 30 * dy }, key: h }];
  });
}

function Rings({ g }: { g: Geometry }) {
  const ring = (hex: string | null | undefined, name: string, inset: number) =>
    hex && g.has(hex) ? <polygon class={name} points={g.polygon(hex, inset)} /> : null;
  const target = struck(g);
  return (
    <g class="rings">
      {ring(hovered.value, "hover", 1.5)}
      {ring(looked.value, "looked", 2.5)}
      {ring(target, "target", 3)}
      {ring(pointed.value, "pointed", 2)}
      {ring(focused.value, "focus", 4)}
    </g>
  );
}

function Slip({ g }: { g: Geometry | null }) {
  const at = useSignal<Point | null>(null);
  const has = useComputed(() => slip.value);
  useSignalEffect(() => {
    const s = has.value;
    const p = s && g ? g.centre(s.hex) : undefined;
    if (!p || !frame) {
      at.value = null;
      return;
    }
    const [x, y] = zoomTransform(frame).apply([p.x, p.y]);
    at.value = { x: Math.max(150, Math.min(x, frame.clientWidth - 150)), y: Math.max(70, y) };
  });
  if (!at.value || !slip.value) return null;
  return (
    <div class="slip" role="status" style={{ left: `${at.value.x}px`, top: `${at.value.y}px` }}>
      {slip.value.message} <CaseLink number={slip.value.case} />
    </div>
  );
}

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
