// What the staff says when it is asked, and a sheet for reckoning. Neither ever gives an order that throws a die.
import { batch, computed, signal } from "@preact/signals";
import { get, post } from "../net";
import { choose, looked, selected, weigh } from "../selection/state";
import { give } from "../table/acting";
import { announce, counters, live, show, stacks, welcome, yours } from "../table/state";
import type { Advice, Counsel, Reckoning } from "../wire";
import { roleOf, verbOf } from "../words/orders";

export const advice = signal<Advice | null>(null);
export const chosen = signal(0);
export const asking = signal(false);

/** The advice, as long as nothing has happened since it was given. */
export const points = computed<Counsel[] | null>(() => {
  const a = advice.value;
  return a && yours.value && a.version === live.value?.version ? a.points : null;
});

export const attacks = computed(() => (points.value ?? []).filter((c) => c.kind === "attack"));

export const forbidden = (): boolean => welcome.value?.kind === "strict";

/** Ask, or go on to the next piece of advice. */
export async function askStaff(): Promise<void> {
  if (!yours.value || asking.value) return;
  if (forbidden()) return show("No advice in this game: its host wished so");
  if (points.value) {
    chosen.value = (chosen.value + 1) % Math.max(1, points.value.length);
    announce(points.value[chosen.value]?.title ?? "");
    return;
  }
  asking.value = true;
  announce("The staff is thinking");
  try {
    const found = await get<Advice>(`/api/matches/${welcome.value?.match}/advice`);
    batch(() => {
      advice.value = found;
      chosen.value = 0;
    });
    const first = found.points[0];
    announce(first ? `Advice, ${found.points.length} points. First: ${first.title}. Nothing is ordered.` : "The staff has nothing to say here");
  } catch (e) {
    show((e as Error).message);
  } finally {
    asking.value = false;
  }
}

export function putAway(): void {
  advice.value = null;
}

/** Prepare what is advised, short of throwing a die: an attack is put together, units to move are chosen. */
export async function setUp(c: Counsel): Promise<void> {
  const first = c.orders[0];
  if (!first) return;
  putAway();
  const [verb, units] = first.split(" ");
  const role = welcome.value?.game.verbs[verb!]?.role;
  if (role === "strike") {
    await choose(units!.split("+"));
    await weigh(first);
  } else if (role === "go" || role === "enter" || role === "place") {
    await choose(units!.split("+"));
  } else for (const order of c.orders) await give(order);
}

/** Let the staff set up what is still to be placed; every counter can be taken back. */
export async function placeForMe(): Promise<void> {
  if (asking.value) return;
  asking.value = true;
  try {
    const { orders } = await get<{ orders: string[] }>(`/api/matches/${welcome.value?.match}/placing`);
    for (const order of orders) if (!(await give(order))) break;
    announce(`${orders.length} counters placed`);
  } catch (e) {
    show((e as Error).message);
  } finally {
    asking.value = false;
  }
}

/** Whether counters are to be set up now. */
export const placing = computed(() => yours.value && Object.values(live.value?.offers.units ?? {}).some((verbs) => verbs.includes("place")));

// The calculator ---------------------------------------------------------------------------------

interface Sheet {
  hex: string;
  units: string[];
  want: string;
  air: number;
  overrun: boolean;
}

export const sheet = signal<Sheet | null>(null);
export const reckoned = signal<Reckoning | null>(null);

let ticket = 0;

async function reckon(next: Sheet): Promise<void> {
  const mine = ++ticket;
  sheet.value = next;
  if (!next.hex) return;
  try {
    const found = await post<Reckoning>(`/api/matches/${welcome.value?.match}/reckon`, next);
    if (mine !== ticket || !sheet.value) return;
    reckoned.value = found;
    const names = next.units.map((u) => counters.value.get(u)?.called ?? u).join(", ");
    announce(found.refused || `${names}, ${found.strength}. Column ${found.column}.`);
  } catch (e) {
    show((e as Error).message);
  }
}

const foe = (hex: string | null): boolean => !!hex && (stacks.value.get(hex) ?? []).some((c) => c.side !== live.value?.audience);

/** Open the sheet, add the chosen counters, or take them off it. */
export function what(remove = false): void {
  const s = sheet.value;
  const own = selected.value.filter((u) => counters.value.get(u)?.side === live.value?.audience);
  const hex = foe(looked.value) ? looked.value! : (s?.hex ?? "");
  if (!s) void reckon({ hex, units: own, want: "", air: 0, overrun: false });
  else if (remove) void reckon({ ...s, units: s.units.filter((u) => !own.includes(u)) });
  else if (!own.length && hex === s.hex) closeSheet();
  else void reckon({ ...s, hex, units: [...new Set([...s.units, ...own])] });
}

export const against = (hex: string): void => {
  if (sheet.value && foe(hex) && hex !== sheet.value.hex) void reckon({ ...sheet.value, hex });
};
export const add = (units: string[]): void => void (sheet.value && reckon({ ...sheet.value, units: [...new Set([...sheet.value.units, ...units])] }));
export const drop = (unit: string): void => void (sheet.value && reckon({ ...sheet.value, units: sheet.value.units.filter((u) => u !== unit) }));
export const fly = (air: number): void => void (sheet.value && reckon({ ...sheet.value, air }));
export const storm = (overrun: boolean): void => void (sheet.value && reckon({ ...sheet.value, overrun, air: 0 }));
export const wish = (want: string): void => void (sheet.value && reckon({ ...sheet.value, want }));
export const empty = (): void => void (sheet.value && reckon({ ...sheet.value, units: [], air: 0 }));

export function closeSheet(): void {
  ticket++;
  batch(() => {
    sheet.value = null;
    reckoned.value = null;
  });
}

/** How a unit strikes where it stands: the verb for it, if it may. */
const strike = (unit: string): string | undefined => live.value?.offers.units[unit]?.find((v) => roleOf(v) === "strike");

/** Why the attack on the sheet cannot be set up now; nothing if it can. */
export const held = computed(() => {
  const s = sheet.value;
  const offers = live.value?.offers.hexes[s?.hex ?? ""] ?? [];
  if (!s?.hex) return "Choose an enemy hex first";
  if (!s.units.length) return "Choose counters first";
  if (!yours.value) return "It is not your move";
  if (s.overrun) return s.units.every(strike) ? "" : "No overrun now";
  return offers.some((o) => roleOf(o) === "aim") ? "" : "No attack on it now";
});

export async function setUpSheet(): Promise<void> {
  const s = sheet.value;
  if (!s || held.value) return;
  closeSheet();
  if (s.overrun) {
    await choose(s.units);
    await weigh(`${strike(s.units[0]!)} ${s.units.join("+")} ${s.hex}${s.air ? ` ${verbOf("support")} ${s.air}` : ""}`);
    return;
  }
  const [support, join] = [verbOf("support"), verbOf("join")];
  if (s.air && live.value?.offers.hexes[s.hex]?.includes(`${support} ${s.hex}`)) await give(`${support} ${s.hex}`);
  await give(`${verbOf("aim")} ${s.hex}`);
  const joins = (unit: string): boolean => !!live.value?.offers.units[unit]?.includes(join);
  for (const unit of s.units) if (joins(unit)) await give(`${join} ${unit}`);
  if (s.air && live.value?.offers.orders.includes(`${support} ${s.air}`)) await give(`${support} ${s.air}`);
  const wings = Object.keys(live.value?.offers.units ?? {}).filter((u) => counters.value.get(u)?.symbol === "air" && !s.units.includes(u));
  for (const unit of wings.slice(0, s.air)) if (joins(unit)) await give(`${join} ${unit}`);
}
