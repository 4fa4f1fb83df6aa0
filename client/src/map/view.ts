// Pan and zoom: one transform of everything on the map.
import "d3-transition";
import { signal } from "@preact/signals";
import { select } from "d3-selection";
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity, zoomTransform } from "d3-zoom";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { slip } from "../selection/state";
import { settings } from "../settings/settings";
import { geometry, shown, stacks } from "../table/state";
import type { Board } from "../wire";
import type { Geometry, Point } from "./geometry";

/** Where the map lies on the screen, once it has come to rest. */
export const overview = signal({ x: 0, y: 0, k: 1 });

/** Whether a counter is in hand, so that the map stays where it is. */
export const carried = signal(false);

let behaviour: ZoomBehavior<HTMLDivElement, unknown> | undefined;
export let frame: HTMLDivElement | null = null;
export const calm = (): boolean => !settings.value.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
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

/** Names on the whole map: a lesser one that would touch a greater one or a counter steps back. */
export function spare(el: HTMLElement, g: Geometry, k: number): void {
  const taken: [number, number, number, number][] = [];
  const free = ([x, y, w, h]: [number, number, number, number]): boolean => taken.every(([a, b, c, d]) => x + w <= a || a + c <= x || y + h <= b || b + d <= y);
  for (const hex of stacks.value.keys()) {
    const p = g.centre(hex);
    if (p) taken.push([p.x - 34, p.y - 34, 68, 68]);
  }
  el.dataset.spared = "yes";
  const rank = ["metropolis", "capital", "city", "town", "spot"];
  const names = [...el.querySelectorAll<SVGTextElement>(".town-names .name")].map((t) => ({ t, r: rank.findIndex((c) => t.classList.contains(c)) })).filter(({ r }) => r >= 0);
  names.sort((a, b) => a.r - b.r);
  for (const { t, r } of names) {
    const size = (r < 2 ? 12.5 : r === 2 ? 12.5 : 10.5) / k;
    const wide = 0.52 * size * (t.textContent?.length ?? 0);
    const board = t.closest<SVGGElement>("[data-board]")?.transform.baseVal[0]?.matrix;
    const [x, y] = [Number(t.getAttribute("x")) + (board?.e ?? 0), Number(t.getAttribute("y")) + (board?.f ?? 0)];
    const box: [number, number, number, number] = [x - wide / 2, y - 0.8 * size, wide, size];
    const shown = !r || free(box);
    if (shown) taken.push(box);
    t.style.display = shown ? "inline" : "none";
    t.style.fontSize = `${size.toFixed(1)}px`;
  }
}

/** How far one counter of a stack lies from the next, and how many of them are seen to. */
export const STEP = 4.6;
export const SEEN = 4;
/** How far below the middle of a hex a counter in it ends. */
const FOOT = 29;

/** The name of a place that holds counters stands below them: it would hide their figures. */
export function standBelow(names: SVGGElement, g: Geometry): void {
  const held = stacks.value;
  const down = [...names.querySelectorAll<SVGTextElement>(".name:is(.capital, .city, .town, .spot)")].map((t) => {
    const box = t.getBBox();
    const board = t.closest<SVGGElement>("[data-board]")?.transform.baseVal[0]?.matrix;
    const y = box.y + (board?.f ?? 0);
    const hex = g.at(box.x + box.width / 2 + (board?.e ?? 0), y + box.height / 2);
    const stack = hex ? held.get(hex) : undefined;
    const p = hex && stack ? g.centre(hex) : undefined;
    const foot = FOOT + (Math.min((stack?.length ?? 1) - 1, SEEN) / 2) * STEP;
    return [t, p && y + box.height > p.y - FOOT ? Math.max(0, p.y + foot - y) : 0] as const;
  });
  for (const [t, by] of down) {
    if (by) t.setAttribute("transform", `translate(0 ${by.toFixed(1)})`);
    else t.removeAttribute("transform");
  }
}

/** Names are as the map has them again. */
function unspare(el: HTMLElement): void {
  if (!el.dataset.spared) return;
  delete el.dataset.spared;
  for (const t of el.querySelectorAll<SVGTextElement>(".town-names .name")) t.style.display = t.style.fontSize = "";
}

/** Whether the whole map is on the screen, with its margin. */
export const whole = signal(false);
let before: { x: number; y: number; k: number } | null = null;

/** The whole map, and back to what was looked at. */
export function wholeMap(): void {
  if (whole.value && before && frame && behaviour) {
    whole.value = false;
    const { x, y, k } = before;
    select(frame).transition().duration(gently(220)).call(behaviour.transform, zoomIdentity.translate(x, y).scale(k));
    return;
  }
  before = { ...overview.value };
  whole.value = true;
  fit(undefined, 220, MARGIN);
}

/** Room below the whole map for title, scale and key. */
const MARGIN = 150;

/** Show the whole of one board, or of all. */
export function fit(boardName?: string, time = 220, margin = 0): void {
  const g = geometry.value;
  if (!frame || !behaviour || !g) return;
  const board = g.boards.find((b) => b.name === boardName);
  const [left, top, right, bottom] = board?.frame ?? [0, 0, g.width, g.tall];
  const { width, height: tall } = frame.getBoundingClientRect();
  const height = tall > 480 ? tall - margin : tall;
  const scale = Math.min(width / (right - left), height / (bottom - top)) * (margin ? 0.95 : 0.98);
  const to = zoomIdentity.translate(width / 2 - (scale * (left + right)) / 2, height / 2 - (scale * (top + bottom)) / 2).scale(scale);
  if (time) select(frame).transition().duration(gently(time)).call(behaviour.transform, to);
  else select(frame).call(behaviour.transform, to);
}

export function zoomBy(factor: number): void {
  if (frame && behaviour) select(frame).transition().duration(gently(160)).call(behaviour.scaleBy, factor);
}

/** How far to shift the map so that a point comes to the middle, without pulling its edge far into the view. */
const kept = (view: number, at: number, size: number, rim = 70): number => (size + 2 * rim < view ? (view - size) / 2 : Math.max(view - size - rim, Math.min(rim, view / 2 - at)));

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
  const middle = k === least && own.length ? { x: median(own.map((p) => p.x)), y: median(own.map((p) => p.y)) } : { x: (left + right) / 2, y: (top + bottom) / 2 };
  const to = zoomIdentity.translate(kept(width, k * middle.x, k * g.width), kept(height, k * middle.y, k * g.tall)).scale(k);
  select(frame).call(behaviour.transform, to);
}

/** Do something after the next picture; a timer, to be cleared like one. */
const afterFrame = (act: () => void): number => window.setTimeout(act, 34);

/** The elements of a map, which moves as people pull and wheel: its box, the world in it, its land and its names. */
export function useMap(g: Geometry | null, begin: () => void, ready = true) {
  const box = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const land = useRef<SVGGElement>(null);
  const names = useRef<SVGGElement>(null);
  usePanZoom(box, world, g, begin, ready);
  return { box, world, land, names };
}

/** Pan and zoom of a map: one transform of everything in `world`. */
function usePanZoom(box: RefObject<HTMLDivElement>, world: RefObject<HTMLDivElement>, g: Geometry | null, begin: () => void, ready = true): void {
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
      .filter((event: Event & { button?: number; ctrlKey?: boolean }) => !event.button && !(carried.value && event.type !== "wheel"))
      .clickDistance(5)
      .on("zoom", (event: D3ZoomEvent<HTMLDivElement, unknown>) => {
        const { x, y, k } = event.transform;
        if (event.sourceEvent) {
          whole.value = false;
          slip.value = null;
        }
        drawing.style.transform = `translate3d(${x}px, ${y}px, 0) scale(${k})`;
        // While the size changes the map keeps its pixels; at rest it is drawn afresh.
        if (overview.value.k !== k) drawing.classList.add("growing");
        clearTimeout(rest);
        rest = window.setTimeout(() => {
          detail(el, k * g.height);
          // Only the names are as large as the view says: a word for the whole map would be handed down to every stroke of it.
          drawing.querySelector<SVGGElement>(".town-names")?.style.setProperty("--k", String(k));
          if (whole.value) spare(el, g, k);
          else unspare(el);
          // The rest in a task of its own, so that a hand on the map need not wait for both.
          rest = afterFrame(() => {
            drawing.classList.remove("growing");
            overview.value = { x, y, k };
          });
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
  for (const [layer, part] of [
    [land, holder],
    [names, above],
  ] as const) {
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
