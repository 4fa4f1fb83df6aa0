// What the page knows, as signals; and what a player does, as functions.
import { batch, computed, effect, signal } from "@preact/signals";
import { Geometry } from "./geometry";
import { ahead, fresh, get, Line, post } from "./net";
import type {
  Choices,
  Counter,
  Explanation,
  Ground,
  HexFacts,
  LogEntry,
  People,
  Reply,
  Rules,
  Spelt,
  State,
  Talk,
  Threat,
  Trace,
  Trail,
  Welcome,
} from "./types";

// Settings, kept by the browser -------------------------------------------------------------

export interface Settings {
  theme: "auto" | "classic" | "dark" | "distinct";
  text: number;
  motion: boolean;
  pace: number;
  warn: boolean;
}

const kept = (): Partial<Settings> => {
  try {
    return JSON.parse(localStorage.getItem("ladoga") ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
};

export const settings = signal<Settings>({ theme: "auto", text: 100, motion: true, pace: 600, warn: true, ...kept() });
export const systemDark = signal(matchMedia("(prefers-color-scheme: dark)").matches);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (e) => {
  systemDark.value = e.matches;
});
export const palette = computed(() =>
  settings.value.theme === "auto" ? (systemDark.value ? "dark" : "classic") : settings.value.theme,
);
export const change = (part: Partial<Settings>): void => {
  settings.value = { ...settings.value, ...part };
};

effect(() => {
  localStorage.setItem("ladoga", JSON.stringify(settings.value));
  const root = document.documentElement;
  root.dataset.palette = palette.value;
  root.dataset.motion = settings.value.motion ? "on" : "off";
  root.style.setProperty("--text", String(settings.value.text / 100));
  root.dataset.big = String(settings.value.text > 130);
});

// The page says which map lies on the table: it is fetched while the rest of the program still wakes up.
const [base, ...boards] = document.querySelector<HTMLMetaElement>("meta[name=ground]")?.content.split(" ") ?? [];
if (base) {
  ahead(`${base}/map.json`);
  for (const board of boards) ahead(landOf(base, board));
}

/** Where the drawing of a board is to be had, in the colours of the page. */
export function landOf(base: string, board: string): string {
  return `${base}/map/${board}/${palette.value}.svg`;
}

// The table -----------------------------------------------------------------------------------

export const welcome = signal<Welcome | null>(null);
export const live = signal<State | null>(null);
export const past = signal<State | null>(null);
export const curtain = signal<string | null>(null);
export const people = signal<People | null>(null);
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

// Pointing and choosing -------------------------------------------------------------------------

export const selected = signal<string[]>([]);
export const looked = signal<string | null>(null);
export const hovered = signal<string | null>(null);
export const focused = signal<string | null>(null);
export const choices = signal<Choices | null>(null);
export const weighed = signal<{ text: string; explanation: Explanation; variants: string[] } | null>(null);
export const menu = signal<{ hex: string; orders: string[] } | null>(null);
export const slip = signal<{ hex: string; message: string; case: string } | null>(null);
export const facts = signal<HexFacts | null>(null);
/** Facts of hexes looked at since the last order, so that a panel need not forget its hex when another is pointed at. */
export const known = signal(new Map<string, HexFacts>());
export const said = signal("");
export const toast = signal<{ message: string; case: string } | null>(null);
export const sheet = signal<string | null>(null);
export const caseShown = signal<string | null>(null);
export const pointed = signal<string | null>(null);
export const ending = signal<string[] | null>(null);

export const layers = signal<Record<string, boolean>>({
  reach: true,
  zoc: false,
  supply: false,
  threat: false,
  control: true,
  moves: true,
  numbers: true,
  counters: true,
});
export const zones = signal<Record<string, string[]>>({});
export const lines = signal<Record<string, Trace>>({});
export const threats = signal<Record<string, Threat>>({});
/** The ways of the counters that moved last, drawn for a moment. */
export const trails = signal<Trail[]>([]);
export const lastMoves = signal<Record<string, [string, string]>>({});

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

let line: Line | undefined;
export const ask = <T>(message: Record<string, unknown>): Promise<Reply & T> =>
  line ? line.ask<T>(message) : Promise.resolve({ ok: false, message: "not connected" } as Reply & T);

export function announce(text: string): void {
  said.value = "";
  setTimeout(() => {
    said.value = text;
  }, 30);
}

export function show(message: string, case_ = ""): void {
  toast.value = { message, case: case_ };
  announce(case_ ? `${message}, case ${case_}` : message);
}

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1);
export const sideName = (side: string | null | undefined): string => (side ? capital(side) : "");

// Coming and going --------------------------------------------------------------------------------

const faceCache = new Map<string, string>();
export const faces = signal(0);
const wanted = new Map<string, Counter>();
let fetching = false;

export const faceKey = (c: Counter): string =>
  [palette.value, c.id, c.side, c.symbol, c.size, c.name, c.formation, c.figures, c.steps, c.full_steps, c.colour, c.face_down].join("|");

/** The drawing of a counter's face; fetched in batches, drawn by the server's one drawing code. */
export function face(c: Counter): string | undefined {
  const k = faceKey(c);
  const found = faceCache.get(k);
  if (found === undefined && !wanted.has(k)) {
    wanted.set(k, c);
    if (!fetching) {
      fetching = true;
      queueMicrotask(() => void fetchFaces());
    }
  }
  return found;
}

async function fetchFaces(): Promise<void> {
  const batchOf = [...wanted.entries()].slice(0, 400);
  try {
    const plain = batchOf.map(([, c]) => ({ ...c, hex: "", box: "", states: [] }));
    const drawn = await post<string[]>(`/api/faces/${palette.value}`, plain);
    batchOf.forEach(([k], i) => faceCache.set(k, drawn[i] ?? ""));
  } catch {
    await new Promise((r) => setTimeout(r, 1500));
  }
  for (const [k] of batchOf) wanted.delete(k);
  faces.value++;
  if (wanted.size) void fetchFaces();
  else fetching = false;
}

async function loadGround(w: Welcome): Promise<void> {
  const base = w.own_map ? `/api/matches/${w.match}` : `/api/games/${w.game.id}`;
  geometry.value = new Geometry(await get<Ground>(`${base}/map.json`));
  rules.value = await get<Rules>(`/api/games/${w.game.id}/rules`);
}

async function loadLog(): Promise<void> {
  const from = log.value.at(-1)?.n ?? 0;
  const n = live.value?.n ?? 0;
  const keep = log.value.filter((e) => e.n <= n);
  const start = keep.length === log.value.length ? from : (keep.at(-1)?.n ?? 0);
  if (start >= n) {
    log.value = keep;
    return;
  }
  const reply = await ask<{ log: LogEntry[] }>({ t: "log", n: start });
  if (!reply.ok) return;
  const newer = reply.log.filter((e) => e.n > start);
  log.value = [...keep, ...newer];
  const spoken = newer.flatMap((e) => e.lines.map((l) => l.text));
  if (spoken.length && start) announce(spoken.slice(-6).join(". "));
}

let audience = "";

function heard(message: Record<string, unknown>): void {
  switch (message.t) {
    case "welcome": {
      const w = message as unknown as Welcome;
      const first = welcome.value?.match !== w.match;
      welcome.value = w;
      talk.value = w.talk;
      bookmarks.value = w.bookmarks;
      if (first) void loadGround(w);
      titled();
      void ask({ t: "pace", wait: settings.value.pace });
      break;
    }
    case "state":
      took(message as unknown as State);
      break;
    case "curtain":
      batch(() => {
        curtain.value = message.side as string;
        live.value = null;
        log.value = [];
        forget();
      });
      break;
    case "people":
      people.value = message as unknown as People;
      break;
    case "talk":
      talk.value = [...talk.value, message.line as Talk];
      if (sheet.value !== "talk") unread.value++;
      announce(`${(message.line as Talk).author}: ${(message.line as Talk).text}`);
      break;
    case "point":
      pointed.value = message.hex as string;
      announce(`Look at ${message.hex as string}`);
      setTimeout(() => {
        pointed.value = null;
      }, 4000);
      break;
    case "error":
      if (message.code === "unknown") trouble.value = message.message as string;
      else show(message.message as string);
      break;
  }
}

function took(state: State): void {
  const before = live.value;
  const composing = state.offers.orders.includes("commit");
  batch(() => {
    if (state.audience !== audience) log.value = [];
    audience = state.audience;
    curtain.value = null;
    live.value = state;
    known.value = new Map();
    choices.value = null;
    if (!composing || weighed.value?.text !== "commit") weighed.value = null;
    menu.value = null;
    ending.value = null;
    selected.value = selected.value.filter((id) => state.offers.units[id]);
    if (before) march(state);
  });
  if (!before) {
    const seen = Number(localStorage.getItem(`seen ${welcome.value?.match}`) ?? state.n);
    missed.value = state.n > seen ? state.n - seen : 0;
  }
  localStorage.setItem(`seen ${welcome.value?.match}`, String(state.n));
  void loadLog();
  void refreshLayers();
  if (selected.value.length) void choose(selected.value);
  else if (state.to_move === state.audience) attend(state);
  if (composing) void weigh("commit");
  else if (state.phase.side && state.phase.side !== state.to_move && state.to_move === state.audience) void weighAnswers(state);
  if (before && state.to_move !== before.to_move && state.to_move === state.audience && document.hidden) {
    document.title = "Your move · Ladoga";
  }
}

let fading = 0;

/** Show for a moment how the counters went that moved last. */
export function march(state: State): void {
  trails.value = state.trail;
  clearTimeout(fading);
  if (state.trail.length)
    fading = window.setTimeout(() => {
      trails.value = [];
    }, 1600);
}

/** Do not wait for what moves on the screen: everything is where it is going. */
export function skip(): void {
  if (trails.value.length) trails.value = [];
}

/** Where a decision is wanted: a hex to bring into sight when only a few can be meant. */
export const attention = signal<string | null>(null);

function attend(state: State): void {
  const units = new Set(Object.keys(state.offers.units));
  const hexes = new Set((state.table.counters ?? []).filter((c) => units.has(c.id) && c.hex).map((c) => c.hex!));
  attention.value = hexes.size && hexes.size <= 3 ? [...hexes][0]! : null;
  if (attention.value) void look(attention.value);
  const [only, other] = units;
  if (only && !other && state.offers.orders.length < 2 && state.offers.units[only]!.join() !== "add") void choose([only]);
}

export async function refreshLayers(): Promise<void> {
  const on = layers.value;
  const version = live.value?.version;
  const want = async <T>(kind: string): Promise<T | undefined> => {
    const reply = await ask<{ layer: T }>({ t: "layer", kind });
    return reply.ok && version === live.value?.version ? reply.layer : undefined;
  };
  if (on.zoc || on.reach) zones.value = (await want<Record<string, string[]>>("zoc")) ?? zones.value;
  if (on.supply) lines.value = (await want<Record<string, Trace>>("supply")) ?? lines.value;
  if (on.threat) threats.value = (await want<Record<string, Threat>>("threat")) ?? threats.value;
  if (on.moves) lastMoves.value = (await want<Record<string, [string, string]>>("moves")) ?? lastMoves.value;
}

export function toggle(name: string): void {
  layers.value = { ...layers.value, [name]: !layers.value[name] };
  announce(`${name} ${layers.value[name] ? "on" : "off"}`);
  void refreshLayers();
}

export function sitDown(match: string): void {
  leave();
  audience = "";
  line = new Line(match, heard, (up) => {
    connected.value = up;
  });
}

export function leave(): void {
  line?.close();
  line = undefined;
  batch(() => {
    welcome.value = null;
    live.value = null;
    past.value = null;
    geometry.value = null;
    people.value = null;
    log.value = [];
    curtain.value = null;
    trouble.value = null;
    clear();
  });
}

const titled = (): void => {
  document.title = welcome.value ? `${welcome.value.game.title} · Ladoga` : "Ladoga";
};
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) titled();
});

/** Where the other player looked and pointed is nobody's business after the hand-over. */
function forget(): void {
  clear();
  looked.value = null;
  facts.value = null;
  focused.value = null;
  hovered.value = null;
  attention.value = null;
  known.value = new Map();
  trails.value = [];
  toast.value = null;
  ending.value = null;
  past.value = null;
  sheet.value = null;
}

// Acting --------------------------------------------------------------------------------------

export function clear(): void {
  batch(() => {
    selected.value = [];
    choices.value = null;
    weighed.value = null;
    menu.value = null;
    slip.value = null;
  });
}

/** Say an order to the server. */
export async function give(text: string): Promise<boolean> {
  const s = live.value;
  if (!s || !line) return false;
  batch(() => {
    slip.value = null;
    menu.value = null;
    toast.value = null;
  });
  missed.value = 0;
  const reply = await line.ask({ t: "order", action: fresh(), version: s.version, text }, true);
  if (!reply.ok) {
    show(reply.message ?? "refused", reply.case);
    return false;
  }
  return true;
}

export async function undo(to?: number): Promise<void> {
  const s = live.value;
  if (!s?.undo || !line) return;
  if (s.undo.to === null) {
    show(`Cannot undo: ${s.undo.text}`);
    return;
  }
  const reply = await line.ask({ t: "undo", action: fresh(), version: s.version, to: to ?? s.undo.to }, true);
  if (!reply.ok) show(reply.message ?? "refused");
  else announce(`Undone: ${s.undo.text}`);
}

/** Take back everything of this phase that may be taken back. */
export async function resetPhase(): Promise<void> {
  const s = live.value;
  if (!s?.undo) return;
  const before = log.value.findLast((e) => e.turn !== s.turn || e.phase !== s.phase.title)?.n ?? 0;
  const to = Math.max(s.undo.floor, before);
  if (to < s.n) await undo(to);
}

/** Select units and ask what they may do. */
export async function choose(units: string[]): Promise<void> {
  batch(() => {
    selected.value = units;
    if (weighed.value?.text !== "commit") weighed.value = null;
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
  const names = units.join(" and ");
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
async function weighAnswers(state: State): Promise<void> {
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

/** A click or Enter on a hex. */
export async function touch(hex: string): Promise<void> {
  const s = live.value;
  menu.value = null;
  void look(hex);
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
  if (live.value?.offers.units[top]?.join() === "add") {
    await give(`add ${top}`);
    return;
  }
  const all = ids.length > 1 && now.length === 1 && now[0] === top;
  const same = now.length === ids.length && now.every((id) => ids.includes(id)) && now.length > 1;
  if (same || (ids.length === 1 && now.length === 1 && now[0] === top)) clear();
  else await choose(all ? ids : [top]);
}

export async function end(sure = false): Promise<void> {
  const s = live.value;
  if (!s || !yours.value) return;
  const order = s.offers.orders.find((o) => o === "end") ?? s.offers.orders.find((o) => o.startsWith("end"));
  if (!order) {
    show("This phase cannot end yet");
    return;
  }
  const idle = Object.keys(s.offers.units).filter((id) => counters.value.get(id));
  if (!sure && s.table.warnings?.length) {
    ending.value = [];
    return;
  }
  if (!sure && settings.value.warn && idle.length && s.phase.id.includes("movement") && s.phase.side === s.to_move) {
    const touched = ["moved", "moving", "activated"];
    const untouched = idle.filter((id) => !counters.value.get(id)?.states?.some((state) => touched.includes(state)));
    if (untouched.length) {
      ending.value = untouched;
      return;
    }
  }
  ending.value = null;
  await give(order);
}

/** The hex an event of the record was about, to be brought into sight. */
function whereItWas(n: number): string | undefined {
  const entry = log.value.find((e) => e.n === n);
  const words = [entry?.text, ...(entry?.lines.map((l) => l.text) ?? [])].join(" ").match(/\b[A-Z]?\d{1,4}\b/g) ?? [];
  return words.find((w) => w.length > 1 && geometry.value?.has(w));
}

// Going back and forth ------------------------------------------------------------------------------

export async function goTo(n: number): Promise<void> {
  const s = live.value;
  if (!s) return;
  const at = Math.max(0, Math.min(n, s.n));
  if (at === s.n) {
    backToNow();
    return;
  }
  const onward = at === (past.value?.n ?? s.n) + 1;
  const reply = await ask<{ state: State }>({ t: "at", n: at });
  if (reply.ok) {
    batch(() => {
      clear();
      past.value = reply.state;
      if (onward) march(reply.state);
      else trails.value = [];
      attention.value = whereItWas(at) ?? reply.state.trail.at(-1)?.path.at(-1) ?? null;
    });
  }
}

/** A board of one's own from the position shown; hidden facts are drawn anew. */
export async function whatIf(): Promise<void> {
  const [match, n] = [welcome.value?.match, shown.value?.n];
  if (!match || n === undefined) return;
  try {
    const made = await post<{ id: string }>(`/api/matches/${match}/whatif`, { n });
    sessionStorage.setItem(`from ${made.id}`, match);
    location.href = `/g/${made.id}`;
  } catch (problem) {
    show((problem as Error).message);
  }
}

export const backToNow = (): void => {
  past.value = null;
  attention.value = null;
};
