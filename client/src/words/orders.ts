// Orders as people say them: buttons begin with a verb and say what will happen, to units by their full names.
import { counters, welcome } from "../table/state";
import { plain } from "./text";

/** What a verb is for: go, retreat, aim, join … */
export const roleOf = (text: string): string => welcome.value?.game.verbs[text.split(" ")[0]!]?.role ?? "choose";

/** Names that were seen on the table: an order that is told later may be of a unit that is gone. */
const seen = new Map<string, string>();

/** A unit in a sentence: by its full name. */
export function nameOf(id: string): string {
  const c = counters.value.get(id);
  if (c?.called) seen.set(id, c.called);
  const name = c?.called ?? seen.get(id) ?? id;
  return name.replace(/^hidden/, "the hidden");
}

const listed = (parts: string[]): string => (parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? ""));
const plural = (kind: string): string =>
  kind.replace(/^([^,]*?)(,| in |$)/, (_, noun: string, rest: string) => `${/Corps$/.test(noun) ? noun : /y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}${rest}`);

/** Units in one breath, those alike by their kind: "1st and 6th Panzer Divisions". */
export function named(ids: string[]): string {
  const groups = new Map<string, string[]>();
  for (const name of ids.map(nameOf)) {
    const [number, kind] = /^(\d\S*|I+V?) (.+)$/.exec(name)?.slice(1) ?? ["", name];
    groups.set(kind!, [...(groups.get(kind!) ?? []), number!]);
  }
  return listed([...groups].map(([kind, of]) => (!of[0] ? (of.length > 1 ? `${of.length} × ${kind}` : kind) : `${listed(of)} ${of.length > 1 ? plural(kind) : kind}`)));
}

const units = (word: string | undefined): string => named(word ? word.split("+") : []);
const last = (hexes: string | undefined): string => hexes?.split("-").at(-1) ?? "";
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const to = (hexes: string | undefined): string => (hexes ? ` to ${last(hexes)}` : "");

/** The parts of an order by the slots of its verb. */
function parts(verb: string, rest: string[]): Record<string, string> {
  const slots = welcome.value?.game.verbs[verb]?.usage.split(" ").slice(1) ?? [];
  const found: Record<string, string> = {};
  rest.forEach((word, n) => {
    const slot = slots[n] ?? "WORD";
    if (slot.startsWith("UNIT")) found.units = units(word);
    else if (slot.startsWith("HEX")) found.hex = last(word);
    else Object.assign(found, { word: plain(word), name: units(word), "": word });
  });
  return found;
}

/** What the game says of a decision that no role tells apart: the first wording whose holes are filled. */
function said(verb: string, rest: string[]): string | undefined {
  const wordings = welcome.value?.game.verbs[verb]?.said;
  if (!wordings) return undefined;
  const given = parts(verb, rest);
  const fits = (text: string): boolean => [...text.matchAll(/\{(\w*)(?:=(\w+))?\}/g)].every(([, hole, value]) => (value ? given[""] === value : given[hole!] !== undefined));
  return wordings
    .split("|")
    .find(fits)
    ?.replace(/\{=\w+\}/g, "")
    .replace(/\{(\w+)\}/g, (_, hole: string) => given[hole]!);
}

/** The verb that is for something, as the game spells it. */
export const verbOf = (role: string): string => Object.entries(welcome.value?.game.verbs ?? {}).find(([, v]) => v.role === role)?.[0] ?? "";

const ROLES: Record<string, (rest: string[], verb: string) => string> = {
  lose: ([unit]) => `Take a step from ${units(unit)}`,
  retreat: ([unit, hexes]) => (hexes ? `Retreat ${units(unit)} → ${last(hexes)}` : `Retreat ${units(unit)}: no hex free, the unit is lost`),
  advance: ([unit, hexes]) => `Advance ${units(unit)} → ${last(hexes)}`,
  go: ([unit, hexes, ...words], verb) => `${capital(verb)} ${units(unit)}${to(hexes)}${words.length ? `, ${words.join(" ")}` : ""}`,
  enter: ([unit, hexes, ...words]) => `Bring in ${units(unit)} at ${last(hexes)}${words.length ? `, ${words.join(" ")}` : ""}`,
  place: ([unit, hexes]) => `Place ${units(unit)} in ${last(hexes)}`,
  aim: ([hexes]) => `Attack ${hexes?.replace("-", " to ")}`,
  join: ([unit]) => `Add ${units(unit)}`,
  commit: (words) => (words.length ? `Commit as ${words.join(" ")}` : "Commit"),
  strike: ([unit, hexes, ...words], verb) => `${capital(verb)} ${last(hexes)} with ${units(unit)}${words.length ? `, ${words.join(" ")}` : ""}`,
  call: ([unit]) => `Activate ${units(unit)}`,
  cancel: () => "Call the attack off",
};

/** An order in words. */
export function orderWords(text: string): string {
  const [verb = "", ...rest] = text.split(" ");
  return said(verb, rest) ?? ROLES[roleOf(text)]?.(rest, verb) ?? capital([verb, ...rest].join(" ").replace(/\+/g, " + "));
}

/** An order of a unit beside whose name it stands. */
export const deedWords = (text: string): string => orderWords(text).replace(new RegExp(`( from)? ${units(text.split(" ")[1]).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`), "");

/** An order in the middle of a sentence. */
export const orderSaid = (text: string): string => orderWords(text).replace(/^./, (c) => c.toLowerCase());

/** The support that a variant of an attack brings along. */
export function supportWords(text: string): string {
  const [kind, n] = text.split(" ").slice(3);
  if (!kind) return "No air support";
  return roleOf(kind) === "support" ? `${n} air unit${n === "1" ? "" : "s"}` : capital([kind, n].filter(Boolean).join(" "));
}
