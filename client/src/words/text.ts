// Values as people write them.
import type { Counter, HexFacts, Outcome } from "../wire";

const VULGAR: Record<string, string> = { "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾" };

/** `7/2` as 3½. */
export function fraction(value: string | number): string {
  const text = String(value);
  const [top, bottom] = text.split("/").map(Number);
  if (!bottom || top === undefined) return text;
  const whole = Math.trunc(top / bottom);
  const rest = `${Math.abs(top % bottom)}/${bottom}`;
  return `${whole || ""}${VULGAR[rest] ?? ` ${rest}`}`;
}

export const signed = (value: number | string): string => {
  const text = fraction(value);
  return text.startsWith("-") ? `−${text.slice(1)}` : text === "0" ? "0" : `+${text}`;
};

const PROPER = /\b(german|soviet|east prussia|leningrad|stalingrad|moscow|petrograd|vyborg|neva|volga|don)\b|(?<=^entry )[a-z]$/g;

/** A word of the data as a person writes it: "east-prussia" as East Prussia. */
export const plain = (word: string): string => word.replace(/-(?!up$)/g, " ").replace(PROPER, (name) => name.replace(/\b./g, (c) => c.toUpperCase()));

/** The land of a hex and what lies on it; regions only have names. */
export const landWords = (f: HexFacts): string => [f.terrain, ...f.places.filter((p) => !/^(region|fringe-.*)$/.test(p))].map(plain).join(", ");

/** The phase of a side without the side, to be read in a sentence: "German movement" as movement. */
export const phaseWords = (title: string, side: string): string => {
  const bare = title.replace(new RegExp(`^${side} +`, "i"), "");
  return /^(german|soviet)/i.test(bare) ? bare : bare.charAt(0).toLowerCase() + bare.slice(1);
};

/** A formation as it is spoken of: one that has only a number is a corps. */
export const formed = (formation: string): string => (/^\d+$/.test(formation) ? `Corps ${formation}` : formation);

export const percent = (p: number): string => (100 * p).toFixed(1);

/** What a unit is called in a sentence or a list. */
export const unitName = (c: Counter): string => (c.called ? c.called.charAt(0).toUpperCase() + c.called.slice(1) : c.id);

export function ago(at: number): string {
  const minutes = Math.round((Date.now() / 1000 - at) / 60);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(at * 1000).toLocaleDateString();
}

/** Seconds on a clock: "2 d 4 h", "3 h 05 min", "14:09". */
export function timeLeft(seconds: number): string {
  const s = Math.ceil(seconds);
  const [d, h, m] = [Math.floor(s / 86400), Math.floor((s % 86400) / 3600), Math.floor((s % 3600) / 60)];
  const two = (n: number): string => String(n).padStart(2, "0");
  if (d) return `${d} d ${h} h`;
  return h ? `${h} h ${two(m)} min` : `${m}:${two(s % 60)}`;
}

/** Who leads or won, in a few words: "Soviet tactical victory (−8)". Who wins because the other side resigned or ran out
 * of time, did not win by how the points stood. */
export function verdict(o: Outcome): string {
  const side = o.winner ? o.winner.charAt(0).toUpperCase() + o.winner.slice(1) : "";
  const level = o.level || (side ? "ahead" : "even");
  const named = side && !level.toLowerCase().includes(side.toLowerCase()) ? (/^(by|on) /.test(level) ? `${side} victory ${level}` : `${side} ${level}`) : level;
  const words = /^(german|soviet) (tactical|strategic|decisive|marginal|substantive|major|minor)$/i.test(named) ? `${named} victory` : named;
  const told = words.charAt(0).toUpperCase() + words.slice(1);
  return o.by || String(o.margin) === "0" ? told : `${told} (${signed(o.margin)})`;
}

const MONTHS = /(January|February|March|April|June|July|August|September|October|November|December)/g;

/** A result code as it is printed: −/2 with a dash that stands for nothing. */
export const printed = (code: string): string => code.replace(/(^|\/)-(?=$|\/)/g, "$1–");

/** "31 August-6 September" as 31 Aug–6 Sep. */
export const shortDate = (date: string): string =>
  date
    .replace(MONTHS, (m) => m.slice(0, 3))
    .replace(/ 19\d\d/g, "")
    .replace(/ to /g, "–")
    .replace(/(\d|[a-z])-(\d)/g, "$1–$2");

export const shortTitle = (title: string, id = ""): { name: string; rest: string; year: string } => {
  const year = /\((\d{4})\)\s*$/.exec(title)?.[1] ?? /-(\d{4})$/.exec(id)?.[1] ?? "";
  const bare = title.replace(/\s*\(\d{4}\)\s*$/, "");
  const [name = bare, ...rest] = bare.split(": ");
  return { name, rest: rest.join(": "), year: name.includes(year) ? "" : year };
};
