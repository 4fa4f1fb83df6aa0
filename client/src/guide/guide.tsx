// The guide: one card, one thing, shown when what it speaks of is first met, to the seat that plays.
import { computed, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { moment } from "../fight/moment";
import type { Point } from "../map/geometry";
import { centreOn, frame, overview } from "../map/view";
import { get, post } from "../net";
import { focused, selected } from "../selection/state";
import { announce, counters, geometry, live, log, people, sideName, stacks, welcome, yours } from "../table/state";
import type { Progress } from "../wire";
import { CaseLink, SideMark } from "../words/pieces";
import "./guide.css";

interface Step {
  id: string;
  title: string;
  text: string;
  side?: string;
  case?: string;
  at?: string;
  when?: { phase?: string; offer?: string; after?: string };
  until?: { select?: boolean; verb?: string; phase?: string };
}

const steps = signal<Step[]>([]);

const open = signal(false);
export const folded = signal(false);

/** Put off until something else has happened. */
const later = signal(-1);

/** What the server keeps of every seat of this table. */
const seats = signal<Record<string, Progress>>({});
/** Steps that this seat has met or waved off. */
const done = computed(() => seats.value[live.value?.audience ?? ""]?.done ?? []);
const path = (): string => `/api/matches/${welcome.value?.match}/guide`;

function keep(known = done.value): void {
  const side = live.value?.audience ?? "";
  const now = { done: known, left: !open.value };
  seats.value = { ...seats.value, [side]: now };
  void post(path(), now).catch(() => undefined);
}

const offered = (verb: string): boolean => {
  const o = live.value?.offers;
  if (!o) return false;
  const said = (order: string): boolean => order.split(" ")[0] === verb;
  return (
    o.orders.some(said) ||
    Object.values(o.hexes).some((list) => list.some(said)) ||
    Object.values(o.units).some((list) => list.includes(verb)) ||
    o.due.some((d) => d.verb === verb)
  );
};

const ordered = (verb: string): boolean => log.value.some((e) => e.text.split(" ")[0] === verb && e.side === live.value?.audience);

const mine = computed(() => steps.value.filter((s) => !s.side || s.side === live.value?.audience));

/** The step to show: the first of this seat that fits the moment and was not met before. */
const step = computed<Step | undefined>(() => {
  const s = live.value;
  if (!open.value || !yours.value || !s || moment.value || later.value === s.version) return undefined;
  return mine.value.find(
    (t) => !done.value.includes(t.id) && (!t.when?.phase || s.phase.id === t.when.phase) && (!t.when?.offer || offered(t.when.offer)) && (!t.when?.after || ordered(t.when.after)),
  );
});

/** The hex a step speaks of, found among what may be done now. */
const where = computed(() => {
  const t = step.value;
  const s = live.value;
  if (!t?.at || !s) return "";
  const verb = t.when?.offer ?? "";
  if (t.at === "hexes") return Object.entries(s.offers.hexes).find(([, list]) => list.some((o) => o.startsWith(verb)))?.[0] ?? "";
  if (t.at === "due") return s.offers.due.find((d) => d.verb === verb)?.hexes.at(-1) ?? "";
  const unit = Object.entries(s.offers.units).find(([id, verbs]) => verbs.includes(verb) && counters.value.get(id)?.hex)?.[0];
  return unit ? (counters.value.get(unit)?.hex ?? "") : "";
});

const since = signal(0);

const met = computed(() => {
  const u = step.value?.until;
  if (!u) return false;
  if (u.select) return selected.value.length > 0;
  if (u.phase) return live.value?.phase.id === u.phase;
  return !!u.verb && log.value.some((e) => e.n > since.value && e.text.split(" ")[0] === u.verb);
});

function know(): void {
  keep(step.value ? [...done.value, step.value.id] : done.value);
}

function show(): void {
  if (!where.value) return;
  focused.value = where.value;
  centreOn(where.value);
}

export function toggleGuide(): void {
  if (open.value) folded.value = !folded.value;
  else void begin(true);
}

async function begin(asked: boolean): Promise<void> {
  const w = welcome.value;
  if (!w?.game.guide || !people.value?.you.length) return;
  const [kept, told] = await Promise.all([
    get<{ seats: Record<string, Progress> }>(path()).catch(() => ({ seats: {} as Record<string, Progress> })),
    steps.value.length ? steps.value : get<Step[]>(`/api/games/${w.game.id}/guide`),
  ]);
  if (welcome.value?.match !== w.match) return;
  const own = kept.seats[live.value?.audience ?? people.value.you[0]!];
  if (own?.left && !asked) return;
  steps.value = told;
  seats.value = kept.seats;
  open.value = true;
  folded.value = false;
}

/** The ring around the hex that the guide speaks of. */
export const guided = computed(() => (folded.value ? "" : where.value));

/** The line from the card to the hex it names. */
const lead = signal("");

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How far a point lies from the way between two others. */
function off(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/** Lay the card where it covers least: never the hex it speaks of, own stacks only where nothing else is left. */
function lay(card: HTMLElement | null): void {
  const g = geometry.value;
  const main = card?.parentElement?.getBoundingClientRect();
  const map = frame?.getBoundingClientRect();
  if (!card || !g || !main || !map || !frame) {
    lead.value = "";
    return;
  }
  const { x, y, k } = overview.value;
  const on = (hex: string): Point | undefined => {
    const p = g.centre(hex);
    return p && { x: map.left - main.left + x + k * p.x, y: map.top - main.top + y + k * p.y };
  };
  const target = on(where.value);
  const room: Box = { left: map.left - main.left, top: map.top - main.top, right: map.right - main.left, bottom: map.bottom - main.top };
  const phone = main.width < 700;
  const { offsetWidth: wide, offsetHeight: tall } = card;
  const spots = phone
    ? [{ x: room.left + 10, y: room.bottom - tall - 10 }]
    : [room.right - wide - 16, room.left + 16].flatMap((left) => [room.top + 16, room.bottom - tall - 16].map((top) => ({ x: left, y: top })));
  const reach = 52 * k;
  const cost = (spot: Point): number => {
    const from = { x: spot.x + wide / 2, y: spot.y + tall / 2 };
    const under = (p: Point): boolean => p.x > spot.x - reach && p.x < spot.x + wide + reach && p.y > spot.y - reach && p.y < spot.y + tall + reach;
    let sum = target && under(target) ? 1000 : 0;
    for (const [hex, stack] of stacks.value) {
      const p = on(hex);
      if (!p || p.x < room.left || p.x > room.right || p.y < room.top || p.y > room.bottom) continue;
      if (under(p)) sum += stack[0]?.side === live.value?.audience ? 10 : 4;
      else if (target && hex !== where.value && off(p, from, target) < reach) sum += 2;
    }
    return sum;
  };
  const best = spots.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  Object.assign(card.style, { left: `${best.x}px`, top: `${best.y}px`, right: "auto", bottom: "auto" });
  const seen = target && !folded.value && target.x > room.left && target.x < room.right && target.y > room.top && target.y < room.bottom;
  if (!seen || cost(best) >= 1000) {
    lead.value = "";
    return;
  }
  const beside = target.x < best.x || target.x > best.x + wide;
  const a = beside
    ? { x: target.x < best.x ? best.x : best.x + wide, y: Math.max(best.y + 20, Math.min(best.y + tall - 20, target.y)) }
    : { x: Math.max(best.x + 20, Math.min(best.x + wide - 20, target.x)), y: target.y < best.y ? best.y : best.y + tall };
  const d = Math.hypot(target.x - a.x, target.y - a.y) || 1;
  const b = { x: target.x - ((target.x - a.x) / d) * reach, y: target.y - ((target.y - a.y) / d) * reach };
  const bend = beside ? `${(a.x + b.x) / 2} ${a.y}` : `${a.x} ${(a.y + b.y) / 2}`;
  lead.value = `M${a.x} ${a.y}Q${bend} ${b.x} ${b.y}M${b.x - 5} ${b.y}a5 5 0 1 0 10 0a5 5 0 1 0-10 0`;
}

export function Guide() {
  const w = welcome.value;
  const seated = !!people.value?.you.length;
  useEffect(() => {
    open.value = false;
    steps.value = [];
    if (w?.kind === "guide" && seated) void begin(false);
  }, [w?.match, seated]);
  const t = step.value;
  useEffect(() => {
    since.value = live.value?.n ?? 0;
    if (!t) return;
    announce(`Guide, ${sideName(live.value?.audience)} seat. ${t.title}.${where.value ? ` At ${where.value}.` : ""}`);
    if (where.value) centreOn(where.value, false);
  }, [t?.id]);
  useEffect(() => {
    if (met.value) know();
  }, [met.value]);
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => lay(box.current), [t?.id, where.value, overview.value, folded.value, live.value?.version]);
  if (!t) return null;
  return (
    <>
      {lead.value && (
        <svg class="pointer" aria-hidden="true">
          <path d={lead.value} />
        </svg>
      )}
      <section ref={box} class={`guide card${folded.value ? " folded" : ""}`} aria-label="Guide" data-step={t.id} data-at={where.value}>
        <button type="button" class="h fold" aria-expanded={!folded.value} onClick={() => (folded.value = !folded.value)}>
          <span>
            Guide · {sideName(live.value?.audience)} seat{folded.value ? `: ${t.title}` : ""}
          </span>
          <span class="quiet">
            {folded.value ? "show" : "fold"} <kbd>G</kbd>
          </span>
        </button>
        {!folded.value && (
          <>
            <h2>{t.title}</h2>
            <p>
              {t.text.replace("{hex}", where.value || "the ringed hex")} <CaseLink number={t.case} />
            </p>
            <div class="acts wrap">
              {where.value && (
                <button type="button" class="btn go" onClick={show}>
                  Show me
                </button>
              )}
              <button type="button" class="btn" onClick={() => (later.value = live.value?.version ?? -1)}>
                Later
              </button>
              <button type="button" class="btn" onClick={know}>
                I know this
              </button>
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  open.value = false;
                  keep();
                }}
              >
                leave the guide
              </button>
            </div>
            {(w?.game.sides ?? [])
              .filter((side) => side === live.value?.audience || seats.value[side])
              .map((side) => {
                const theirs = steps.value.filter((s) => !s.side || s.side === side);
                const known = side === live.value?.audience ? done.value : (seats.value[side]?.done ?? []);
                return (
                  <p class="progress" key={side}>
                    <SideMark side={side} /> <small>{sideName(side)}</small>
                    <span aria-hidden="true">
                      {theirs.map((s) => (
                        <i key={s.id} class={known.includes(s.id) ? "on" : s === t && side === live.value?.audience ? "now" : ""} />
                      ))}
                    </span>
                    <b>
                      {theirs.filter((s) => known.includes(s.id)).length} of {theirs.length}
                    </b>
                  </p>
                );
              })}
          </>
        )}
      </section>
    </>
  );
}
