// Small pieces of text: case links, hex links, fractions, side marks.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { centreOn } from "./map";
import { caseShown, face, faces, focused, geometry, look, sheet, welcome } from "./state";
import type { Counter, HexFacts, Outcome } from "./types";

export function CaseLink({ number }: { number: string | undefined }) {
  if (!number) return null;
  return (
    <button
      type="button"
      class="case"
      title={`Case ${number}`}
      onClick={(event) => {
        event.stopPropagation();
        caseShown.value = number;
        if (welcome.value) sheet.value = "rules";
        else location.hash = number;
      }}
    >
      {number}
    </button>
  );
}

export function HexLink({ hex }: { hex: string }) {
  return (
    <button
      type="button"
      class="hexlink"
      onClick={(event) => {
        event.stopPropagation();
        focused.value = hex;
        centreOn(hex);
        void look(hex);
      }}
    >
      {hex}
    </button>
  );
}

/** Text in which every hex number of the map is a link. */
export function Linked({ text }: { text: string }) {
  const g = geometry.value;
  const parts: ComponentChildren[] = text.split(/(\b[A-Z]?\d{1,4}\b)/).map((part, i) => (g && part.length > 1 && g.has(part) ? <HexLink key={i} hex={part} /> : part));
  return <>{parts}</>;
}

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
export const landWords = (f: HexFacts): string =>
  [f.terrain, ...f.places.filter((p) => !/^(region|fringe-.*)$/.test(p))].map(plain).join(", ");

/** The phase of a side without the side, to be read in a sentence: "German movement" as movement. */
export const phaseWords = (title: string, side: string): string => {
  const bare = title.replace(new RegExp(`^${side} +`, "i"), "");
  return /^(german|soviet)/i.test(bare) ? bare : bare.charAt(0).toLowerCase() + bare.slice(1);
};

export const percent = (p: number): string => (100 * p).toFixed(1);

export function SideMark({ side }: { side: string }) {
  return <i class={`mark ${side}`} aria-hidden="true" />;
}

export const figureName = (c: Counter): string =>
  [c.figures, c.symbol && c.symbol !== "unknown" ? c.symbol : "", c.name, c.formation, c.hex, ...(c.states ?? [])].filter(Boolean).join(", ");

/** A counter as a small picture in a panel. */
export function Chip({ c, size = 44, quiet = false }: { c: Counter; size?: number; quiet?: boolean }) {
  const drawn = faces.value;
  const drawing = face(c);
  return (
    <svg data-drawn={drawn} class={`chip ${c.side}`} width={size} height={size} viewBox="-4 -4 108 108" role={quiet ? undefined : "img"} aria-hidden={quiet} aria-label={quiet ? undefined : `${c.id}: ${figureName(c)}`}>
      {drawing ? <g dangerouslySetInnerHTML={{ __html: drawing }} /> : <rect class="blank" width="100" height="100" rx="12" />}
    </svg>
  );
}

/** The same name written differently is no second name: "227-ID" and "227 ID". */
const alike = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** What a unit is called, with its id where the name alone would not tell. */
export function unitName(c: Counter): string {
  if (!c.name || alike(c.id).startsWith(alike(c.name))) return c.id;
  return `${c.name}, ${c.id}`;
}

/** A link to send, with a button that says when it is copied; without a clipboard it is marked for copying by hand. */
export function LinkField({ link, label }: { link: string; label: string }) {
  const field = useRef<HTMLInputElement>(null);
  const done = useSignal(false);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      if (!document.execCommand("copy")) return;
    }
    done.value = true;
    setTimeout(() => (done.value = false), 2500);
  };
  return (
    <label class="link">
      <span class="sr">{label}</span>
      <input ref={field} readOnly value={link} onFocus={(e) => e.currentTarget.select()} />
      <button type="button" class="btn" aria-live="polite" onClick={() => void copy()}>
        {done.value ? "Copied" : "Copy"}
      </button>
    </label>
  );
}

export function ago(at: number): string {
  const minutes = Math.round((Date.now() / 1000 - at) / 60);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(at * 1000).toLocaleDateString();
}

/** Give the reader a file to keep. */
export const download = (name: string, content: Blob): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
};

/** Who leads or won, in a few words. */
export function verdict(o: Outcome): string {
  const side = o.winner ? o.winner.charAt(0).toUpperCase() + o.winner.slice(1) : "";
  const level = o.level || (side ? "ahead" : "even");
  const words = side && !level.toLowerCase().includes(side.toLowerCase()) ? `${side}: ${level}` : level;
  const told = words.charAt(0).toUpperCase() + words.slice(1);
  return String(o.margin) === "0" ? told : `${told}, ${signed(o.margin)}`;
}

const MONTHS = /(January|February|March|April|August|September|October|November|December)/g;

/** "31 August-6 September" as 31 Aug–6 Sep. */
export const shortDate = (date: string): string => date.replace(MONTHS, (m) => m.slice(0, 3)).replace(/ 19\d\d/g, "").replace(/ to /g, "–").replace(/(\d|[a-z])-(\d)/g, "$1–$2");
