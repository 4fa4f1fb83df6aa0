// Orders as people say them: buttons begin with a verb and say what will happen.
import { counters, welcome } from "../table/state";

/** What a verb is for: go, retreat, aim, join … */
export const roleOf = (text: string): string => welcome.value?.game.verbs[text.split(" ")[0]!]?.role ?? "choose";

/** A unit on a button: by its number. */
export const short = (id: string): string => (counters.value.get(id)?.face_down ? "the hidden unit" : id);

const units = (word: string): string => word.split("+").map(short).join(", ");
const last = (hexes: string | undefined): string => hexes?.split("-").at(-1) ?? "";
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Decisions that no role tells apart. */
const SAID: Record<string, (rest: string[]) => string> = {
  air: ([n]) => (n === "0" ? "Send no aircraft" : `Send ${n} air unit${n === "1" ? "" : "s"}`),
  support: ([hex]) => `Send air support to ${hex}`,
  bomb: ([hex, what]) => `Bomb ${what ? `the ${what} in ` : ""}${hex}`,
  fire: ([hex]) => `Lay the guns on ${hex}`,
  fort: ([hex]) => `Build a fort in ${hex}`,
  interdict: ([hex]) => `Interdict ${hex}`,
  rebuild: ([unit]) => `Rebuild ${short(unit ?? "")}`,
  flip: ([unit]) => `Turn ${units(unit ?? "")} face up`,
  remove: ([unit]) => `Remove ${units(unit ?? "")}`,
  assign: ([unit, hq]) => `Assign ${units(unit ?? "")} to ${hq}`,
  stand: () => "Stand",
  stay: () => "Stay at sea",
  pass: () => "Pass",
  yield: () => "Yield",
};

const ROLES: Record<string, (rest: string[], verb: string) => string> = {
  lose: ([unit]) => `Take a step from ${units(unit ?? "")}`,
  retreat: ([unit, hexes]) => (hexes ? `Retreat ${units(unit ?? "")} → ${last(hexes)}` : `Retreat ${units(unit ?? "")}: no hex free, the unit is lost`),
  advance: ([unit, hexes]) => `Advance ${units(unit ?? "")} → ${last(hexes)}`,
  go: ([unit, hexes], verb) => `${capital(verb)} ${units(unit ?? "")} to ${last(hexes)}`,
  enter: ([unit, hexes]) => `Bring in ${units(unit ?? "")} at ${last(hexes)}`,
  place: ([unit, hexes]) => `Place ${units(unit ?? "")} in ${last(hexes)}`,
  aim: ([hexes]) => `Attack ${hexes}`,
  join: ([unit]) => `Add ${units(unit ?? "")}`,
  commit: (words) => (words.length ? `Commit as ${words.join(" ")}` : "Commit"),
  strike: ([unit, hexes, ...words], verb) => `${capital(verb)} ${last(hexes)} with ${units(unit ?? "")}${words.length ? `, ${words.join(" ")}` : ""}`,
  call: ([unit]) => `Activate ${units(unit ?? "")}`,
  cancel: () => "Call the attack off",
};

/** An order in words. */
export function orderWords(text: string): string {
  const [verb = "", ...rest] = text.split(" ");
  const said = SAID[verb]?.(rest) ?? ROLES[roleOf(text)]?.(rest, verb);
  return said ?? capital([verb, ...rest].join(" ").replace(/\+/g, " + "));
}

/** The support that a variant of an attack brings along. */
export function supportWords(text: string): string {
  const [kind, n] = text.split(" ").slice(3);
  if (!kind) return "No air support";
  return kind === "air" ? `${n} air unit${n === "1" ? "" : "s"}` : capital([kind, n].filter(Boolean).join(" "));
}
