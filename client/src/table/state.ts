// What the page knows of the table, as signals.
import { computed, signal } from "@preact/signals";
import type { Geometry } from "../map/geometry";
import type { Counter, LogEntry, People, Rules, State, Talk, Welcome } from "../wire";

export const welcome = signal<Welcome | null>(null);
export const live = signal<State | null>(null);
export const past = signal<State | null>(null);
export const curtain = signal<string | null>(null);
export const people = signal<People | null>(null);
/** The share of the time for its turn that the computer has used up. */
export const used = signal(0);
export const log = signal<LogEntry[]>([]);
export const talk = signal<Talk[]>([]);
export const unread = signal(0);
export const bookmarks = signal<[number, string][]>([]);
export const rules = signal<Rules | null>(null);
export const geometry = signal<Geometry | null>(null);
export const connected = signal(true);
export const trouble = signal<string | null>(null);
export const missed = signal(0);
export const shown = computed(() => past.value ?? live.value);

export const yours = computed(() => {
  const s = live.value;
  return !!s && !past.value && !s.over && !!s.to_move && s.to_move === s.audience;
});

export const counters = computed(() => new Map((shown.value?.table.counters ?? []).map((c) => [c.id, c])));

export const stacks = computed(() => {
  const by = new Map<string, Counter[]>();
  for (const c of shown.value?.table.counters ?? []) {
    if (!c.hex) continue;
    const list = by.get(c.hex);
    if (list) list.push(c);
    else by.set(c.hex, [c]);
  }
  return by;
});

export const said = signal("");
export const toast = signal<{ message: string; case: string } | null>(null);
export const sheet = signal<string | null>(null);
export const caseShown = signal<string | null>(null);
export const pointed = signal<string | null>(null);
export const ending = signal<string[] | null>(null);

/** Where a decision is wanted: a hex to bring into sight when only a few can be meant. */
export const attention = signal<string | null>(null);

let waiting: string[] = [];

/** Tell those who listen; what is told at one moment is told together, so that nothing is lost. */
export function announce(text: string): void {
  waiting.push(text);
  if (waiting.length > 1) return;
  said.value = "";
  setTimeout(() => {
    said.value = waiting.join(". ");
    waiting = [];
  }, 30);
}

export function show(message: string, case_ = ""): void {
  toast.value = { message, case: case_ };
  announce(case_ ? `${message}, case ${case_}` : message);
}

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1);
export const sideName = (side: string | null | undefined): string => (side ? capital(side) : "");
