// Corrections of a map: what is where, and what a tool makes of it. Nothing here touches the page.

export interface Word {
  word: string;
  title: string;
  text: string;
}

/** A map as it comes: terrain, places and name of every hex, kinds of every hexside, and where each comes from. */
export interface Land {
  title: string;
  ground: string;
  terrain: Word[];
  hexsides: Word[];
  places: Word[];
  hexes: Record<string, [string, string[], string]>;
  sides: Record<string, string[]>;
  sources: Record<string, string[]>;
  kept: string[];
  keeps: boolean;
  given: Partial<Change> | null;
}

export interface Change {
  hexes: Record<string, string>;
  hexsides: Record<string, string[]>;
  places: Record<string, string[]>;
  names: Record<string, string>;
  why: Record<string, string>;
}

export type Kind = "look" | "erase" | "terrain" | "side" | "place";
export interface Tool {
  kind: Kind;
  word: string;
}

/** A hex, and the neighbour across one of its sides. */
export interface Spot {
  hex: string;
  beyond: string | undefined;
}

export const NOTHING: Change = { hexes: {}, hexsides: {}, places: {}, names: {}, why: {} };

export const whole = (part: Partial<Change> | null | undefined): Change => ({
  hexes: { ...part?.hexes },
  hexsides: { ...part?.hexsides },
  places: { ...part?.places },
  names: { ...part?.names },
  why: { ...part?.why },
});

/** What is sent: parts that hold something. */
export const sent = (c: Change): Partial<Change> => Object.fromEntries(Object.entries(c).filter(([, part]) => Object.keys(part as object).length));

export const sideKey = (a: string, b: string): string => (a < b ? `${a}/${b}` : `${b}/${a}`);

const same = (a: string[], b: string[]): boolean => a.length === b.length && a.every((w, i) => w === b[i]);
const toggled = (words: string[], word: string): string[] => (words.includes(word) ? words.filter((w) => w !== word) : [...words, word]).sort();

export function hexAt(land: Land, c: Change, hex: string): { terrain: string; places: string[]; name: string } {
  const [terrain, places, name] = land.hexes[hex] ?? [land.ground, [], ""];
  return { terrain: c.hexes[hex] ?? terrain, places: c.places[hex] ?? places, name: c.names[hex] ?? name };
}

export const sidesAt = (land: Land, c: Change, key: string): string[] => c.hexsides[key] ?? land.sides[key] ?? [];

/** A part with one entry set, or taken out where the map has it anyway. */
function set<T>(part: Record<string, T>, key: string, value: T, plain: boolean): Record<string, T> {
  const { [key]: _, ...rest } = part;
  return plain ? rest : { ...rest, [key]: value };
}

/** Remarks belong to corrections; a remark without one goes with it. */
function swept(c: Change): Change {
  const listed = (key: string): boolean => key in c.hexes || key in c.hexsides || key in c.places || key in c.names;
  return { ...c, why: Object.fromEntries(Object.entries(c.why).filter(([key]) => listed(key))) };
}

export const setTerrain = (land: Land, c: Change, hex: string, word: string): Change => swept({ ...c, hexes: set(c.hexes, hex, word, land.hexes[hex]?.[0] === word) });

export function setPlaces(land: Land, c: Change, hex: string, words: string[]): Change {
  return swept({ ...c, places: set(c.places, hex, words, same(words, land.hexes[hex]?.[1] ?? [])) });
}

export const setName = (land: Land, c: Change, hex: string, name: string): Change => swept({ ...c, names: set(c.names, hex, name, (land.hexes[hex]?.[2] ?? "") === name) });

export const setSides = (land: Land, c: Change, key: string, words: string[]): Change => swept({ ...c, hexsides: set(c.hexsides, key, words, same(words, land.sides[key] ?? [])) });

export const setWhy = (c: Change, key: string, text: string): Change => swept({ ...c, why: set(c.why, key, text, !text) });

/** Everything corrected at a hex or hexside taken back. */
export function erased(c: Change, key: string): Change {
  const without = <T>(part: Record<string, T>): Record<string, T> => set(part, key, undefined as T, true);
  return { hexes: without(c.hexes), hexsides: without(c.hexsides), places: without(c.places), names: without(c.names), why: without(c.why) };
}

/** What a tool makes of the corrections at a spot. */
export function applied(land: Land, c: Change, tool: Tool, spot: Spot): Change {
  const { hex, beyond } = spot;
  const key = beyond ? sideKey(hex, beyond) : "";
  switch (tool.kind) {
    case "terrain":
      return setTerrain(land, c, hex, tool.word);
    case "place":
      return setPlaces(land, c, hex, toggled(hexAt(land, c, hex).places, tool.word));
    case "side":
      return key ? setSides(land, c, key, toggled(sidesAt(land, c, key), tool.word)) : c;
    case "erase":
      return key && key in c.hexsides ? erased(c, key) : erased(c, hex);
    case "look":
      return c;
  }
}

/** The hexes whose look two states of the corrections do not share. */
export function touched(a: Change, b: Change): string[] {
  const keys = new Set<string>();
  for (const part of ["hexes", "hexsides", "places", "names"] as const)
    for (const key of new Set([...Object.keys(a[part]), ...Object.keys(b[part])]))
      if (JSON.stringify(a[part][key]) !== JSON.stringify(b[part][key])) for (const hex of key.split("/")) keys.add(hex);
  return [...keys];
}
