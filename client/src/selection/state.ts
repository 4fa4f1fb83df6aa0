// Pointing and choosing: what is selected, what it may do, what a click on a hex means.
import { batch, computed, signal } from "@preact/signals";
import { advance, into } from "../fight/due";
import { give } from "../table/acting";
import { ask } from "../table/line";
import { announce, counters, live, past, stacks, yours } from "../table/state";
import type { Choices, Explanation, HexFacts, Spelt, State } from "../wire";
import { roleOf, verbOf } from "../words/orders";

export const selected = signal<string[]>([]);
export const looked = signal<string | null>(null);
export const hovered = signal<string | null>(null);
export const focused = signal<string | null>(null);
export const choices = signal<Choices | null>(null);
export const weighed = signal<{ text: string; explanation: Explanation; variants: string[] } | null>(null);
export const menu = signal<{ hex: string; orders: string[] } | null>(null);
export const slip = signal<{ hex: string; message: string; case: string } | null>(null);
/** The unit whose way through the game is shown. */
export const tracked = signal<string | null>(null);
export const facts = signal<HexFacts | null>(null);

/** Facts of hexes looked at since the last order, so that a panel need not forget its hex when another is pointed at. */
export const known = signal(new Map<string, HexFacts>());

/** Destination hex -> orders of the selected units that end there. */
export const ways = computed(() => {
  const by = new Map<string, Spelt[]>();
  for (const order of choices.value?.orders ?? []) {
    const hex = order.hexes.at(-1);
    if (!hex) continue;
    const list = by.get(hex);
    if (list) list.push(order);
    else by.set(hex, [order]);
  }
  return by;
});

export const standing = computed(() => (choices.value?.orders ?? []).filter((o) => !o.hexes.length));

export function clear(): void {
  batch(() => {
    selected.value = [];
    choices.value = null;
    weighed.value = null;
    menu.value = null;
    slip.value = null;
    tracked.value = null;
  });
}

/** What the chosen units may do is being asked. */
let answered: Promise<void> = Promise.resolve();

/** Select units and ask what they may do; what others might have done is forgotten at once. */
export function choose(units: string[]): Promise<void> {
  answered = chosen(units);
  return answered;
}

async function chosen(units: string[]): Promise<void> {
  batch(() => {
    if (selected.value.join() !== units.join()) choices.value = null;
    selected.value = units;
    if (weighed.value?.text !== verbOf("commit")) weighed.value = null;
    slip.value = null;
    menu.value = null;
  });
  if (!units.length || !yours.value) {
    choices.value = null;
    return;
  }
  const version = live.value?.version;
  const reply = await ask<Choices>({ t: "of", units });
  if (!reply.ok || version !== live.value?.version || selected.value.join() !== units.join()) return;
  choices.value = reply;
  const where = counters.value.get(units[0]!);
  const names = units.map((u) => counters.value.get(u)?.called ?? u).join(" and ");
  announce(`${names} selected${where?.hex ? ` in ${where.hex}` : ""}, ${ways.value.size} hexes to go to`);
}

/** Show an attack in numbers; `variants` are the same attack with other support. */
export async function weigh(text: string, variants: string[] = []): Promise<Explanation | null> {
  const version = live.value?.version;
  const reply = await ask<{ explanation: Explanation | null }>({ t: "explain", text });
  if (version !== live.value?.version) return null;
  if (!reply.ok || !reply.explanation) {
    if (weighed.value?.text === text) weighed.value = null;
    return null;
  }
  weighed.value = { text, explanation: reply.explanation, variants };
  menu.value = null;
  const e = reply.explanation;
  const best = e.results.map((r) => `${r.value} ${(100 * r.probability).toFixed(0)} percent`).join(", ");
  announce(`${e.title}: column ${e.columns.map((c) => c.value).join(" or ")}; ${best}`);
  return e;
}

/** What to answer to the other side's attack, with the odds of each answer where they can be told. */
export async function weighAnswers(state: State): Promise<void> {
  const { orders, units } = state.offers;
  if (orders.length > 1 && orders.length < 9 && !Object.keys(units).length) await weigh(orders[0]!, orders);
}

/** Take an order up: weigh it first if it is an attack, else give it. */
export async function take(text: string): Promise<void> {
  const verb = text.split(" ")[0]!;
  if (choices.value?.weighed.includes(verb) && (await weigh(text))) return;
  await give(text);
}

let asking = 0;

/** The land, zones and supply of a hex, for the slip at the foot of the map. */
export async function look(hex: string | null): Promise<void> {
  looked.value = hex;
  const ticket = ++asking;
  if (!hex) {
    facts.value = null;
    return;
  }
  const version = live.value?.version;
  const reply = await ask<{ facts: HexFacts | null }>({ t: "hex", hex });
  if (!reply.ok) return;
  if (reply.facts && version === live.value?.version) known.value = new Map(known.value).set(hex, reply.facts);
  if (ticket === asking) facts.value = reply.facts;
}

/** Why the selected units may not go to a hex. */
export async function whyNot(hex: string): Promise<void> {
  const units = selected.value;
  if (!units.length || !yours.value || ways.value.has(hex) || counters.value.get(units[0]!)?.hex === hex) {
    slip.value = null;
    return;
  }
  const reply = await ask<{ message: string; case: string; legal: boolean }>({ t: "why", units, hex });
  if (reply.ok && !reply.legal && selected.value === units) slip.value = { hex, message: reply.message, case: reply.case };
}

/** A click or Enter on a hex: it is meant for the units that are chosen, so their answer is waited for. */
export async function touch(hex: string): Promise<void> {
  menu.value = null;
  void look(hex);
  await answered;
  const s = live.value;
  if (!s || past.value || !yours.value) return;
  const going = ways.value.get(hex);
  if (going?.length) {
    const verb = going[0]!.verb;
    const fight = choices.value?.weighed.includes(verb) && going.every((o) => o.verb === verb);
    if (going.length === 1) await take(going[0]!.text);
    else if (fight)
      await weigh(
        going[0]!.text,
        going.map((o) => o.text),
      );
    else menu.value = { hex, orders: going.map((o) => o.text) };
    return;
  }
  if (into(hex).length) {
    await advance(hex, selected.value);
    return;
  }
  const here = s.offers.hexes[hex];
  const own = (stacks.value.get(hex) ?? []).filter((c) => s.offers.units[c.id]);
  if (here?.length && !own.length) {
    if (here.length === 1) await give(here[0]!);
    else menu.value = { hex, orders: here };
    return;
  }
  if (own.length) {
    await pick(own.map((c) => c.id));
    return;
  }
  if (selected.value.length) await whyNot(hex);
}

/** A stack is touched: its top unit, then each other, then all of it. */
export async function pick(ids: string[]): Promise<void> {
  const now = selected.value;
  const top = ids.at(-1)!;
  const verbs = live.value?.offers.units[top] ?? [];
  if (verbs.length === 1 && roleOf(verbs[0]!) === "join") {
    await give(`${verbs[0]} ${top}`);
    return;
  }
  const all = ids.length > 1 && now.length === 1 && now[0] === top;
  const same = now.length === ids.length && now.every((id) => ids.includes(id)) && now.length > 1;
  if (same || (ids.length === 1 && now.length === 1 && now[0] === top)) clear();
  else await choose(all ? ids : [top]);
}
