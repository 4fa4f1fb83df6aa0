// The game that is being chosen, and how it is to begin.
import { computed, signal } from "@preact/signals";

import { get, post } from "../net";
import type { About, Summary } from "../wire";
import { shortTitle } from "../words/text";

export const games = signal<About[]>([]);

export const levels = signal<Record<string, string>>({});
const local = signal(false);
export const mine = signal<Summary[]>([]);
export const chosen = signal("");
export const scenario = signal("");
export const side = signal("");
export const against = signal("staff");
export const options = signal<Record<string, boolean | number | string>>({});
export const clock = signal("");
export const advised = signal(true);
export const anybody = signal(false);
export const problem = signal("");

/** What was wrong with a file somebody wanted to open. */
export const unread = signal("");

export const busy = signal(false);
export const all = signal(false);
export const editing = signal(false);
export const corrections = signal<Record<string, string[]>>({});

/** The map to play on: "" as it comes, a name of kept corrections, or * for those brought along from the editor. */
export const mapWish = signal("");

export const mapChanges = signal<string[]>([]);
export const me = signal("");
export const game = computed(() => games.value.find((g) => g.id === chosen.value));

export async function load(): Promise<void> {
  const [list, own] = await Promise.all([
    get<{ games: About[]; levels: Record<string, string>; local: boolean; editor: boolean; corrections: Record<string, string[]> }>("/api/games"),
    get<{ matches: Summary[]; name: string }>("/api/matches"),
  ]);
  const year = (g: About): number => Number(/^\d{4}$/.exec(g.card.year)?.[0] ?? (/^\d{4}$/.exec(shortTitle(g.title, g.id).year)?.[0] || 9999));
  games.value = [...list.games].sort((a, b) => year(a) - year(b));
  levels.value = list.levels;
  local.value = list.local;
  editing.value = list.editor;
  corrections.value = list.corrections;
  mine.value = own.matches;
  me.value = own.name;
  const wish = location.hash.slice(1);
  pick(list.games.some((g) => g.id === wish) ? wish : (games.value[0]?.id ?? ""));
  const wanted = new URLSearchParams(location.search).get("map");
  if (wanted && choices().includes(wanted)) void pickMap(wanted);
  if (!(against.value in list.levels)) against.value = Object.keys(list.levels).at(-1) ?? "random";
}

function pick(id: string): void {
  chosen.value = id;
  const g = games.value.find((x) => x.id === id);
  scenario.value = Object.keys(g?.scenarios ?? {})[0] ?? "";
  side.value = g?.sides[0] ?? "";
  options.value = {};
  mapWish.value = "";
  mapChanges.value = [];
}

const brought = (): string | null => sessionStorage.getItem(`corrections ${chosen.value}`);
export const choices = (): string[] => [...(corrections.value[chosen.value] ?? []), ...(brought() ? ["*"] : [])];

/** Choose corrections to play with, and say what they change. */
export async function pickMap(name: string): Promise<void> {
  mapWish.value = name;
  mapChanges.value = [];
  problem.value = "";
  if (!name) return;
  const base = `/api/editor/${chosen.value}`;
  try {
    const told =
      name === "*" ? await post<{ changes: string[] }>(`${base}/check`, { map: JSON.parse(brought() ?? "{}") }) : await get<{ changes: string[] }>(`${base}/kept/${name}`);
    if (mapWish.value === name) mapChanges.value = told.changes;
  } catch (e) {
    problem.value = (e as Error).message;
  }
}

/** A card is touched; where the panel lies below the cards, go there. */
export function choose(id: string): void {
  pick(id);
  if (matchMedia("(max-width: 1000px)").matches) document.querySelector(".panel")?.scrollIntoView({ block: "start" });
}

export async function begin(kind = "match"): Promise<void> {
  const g = game.value;
  if (!g || busy.value) return;
  busy.value = true;
  problem.value = "";
  try {
    const hot = side.value === "both";
    const seats = Object.fromEntries(
      g.sides.map((s) => [s, hot || s === side.value ? "me" : kind === "guide" || kind === "lesson" ? "recruit" : against.value === "person" ? "open" : against.value]),
    );
    const made = await post<{ id: string; invites: Record<string, string> }>("/api/matches", {
      game: g.id,
      scenario: scenario.value,
      options: options.value,
      seats,
      kind: kind === "match" && against.value === "person" && !hot && !advised.value ? "strict" : kind,
      ...(against.value === "person" && !hot ? { public: anybody.value, clock: clock.value.split(" ")[0]!, time: Number(clock.value.split(" ")[1] ?? 0) } : {}),
      ...(mapWish.value === "*" ? { map: JSON.parse(brought() ?? "{}") } : { corrections: mapWish.value }),
    });
    const link = Object.values(made.invites)[0];
    if (link) sessionStorage.setItem(`invite ${made.id}`, link);
    location.href = `/g/${made.id}`;
  } catch (e) {
    problem.value = (e as Error).message;
    busy.value = false;
  }
}

async function opened(name: string, read: () => Promise<string>, at = ""): Promise<void> {
  unread.value = "";
  try {
    const made = await post<{ id: string }>("/api/open", { text: await read() });
    location.href = `/g/${made.id}${at && `?at=${at}`}`;
  } catch (e) {
    unread.value = `${name} cannot be opened: ${(e as Error).message}`;
    scrollTo(0, 0);
  }
}

export async function open(file: File | undefined): Promise<void> {
  if (file) await opened(file.name, () => file.text());
}

/** Open the record that a link from a report brings along. */
export async function openLinked(): Promise<void> {
  const told = new URLSearchParams(location.hash.slice(1));
  const packed = told.get("record");
  if (!packed) return;
  history.replaceState(null, "", "/");
  const read = async (): Promise<string> => {
    const bytes = Uint8Array.from(atob(packed.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  };
  await opened("The record of this link", read, told.get("at") ?? "");
}
