// What the server says, and what becomes of it.
import { batch } from "@preact/signals";
import { loadGround } from "../map/ground";
import { march, refreshLayers, trails } from "../map/layers";
import { Line } from "../net";
import { tellTurn } from "../people/turns";
import { choices, choose, clear, facts, focused, hovered, known, look, looked, menu, selected, weigh, weighAnswers, weighed } from "../selection/state";
import { settings } from "../settings/settings";
import type { LogEntry, People, Reply, Said, State, Talk, Welcome } from "../wire";
import { verbOf } from "../words/orders";
import { give, passes } from "./acting";
import {
  announce,
  attention,
  bookmarks,
  connected,
  curtain,
  ending,
  geometry,
  live,
  log,
  missed,
  past,
  people,
  pointed,
  sheet,
  show,
  talk,
  toast,
  trouble,
  unread,
  used,
  welcome,
} from "./state";

export let line: Line | undefined;

export const ask = <T>(message: Said): Promise<Reply & T> => (line ? line.ask<T>(message) : Promise.resolve({ ok: false, message: "not connected" } as Reply & T));

/** Fetch what happened since the record was last read. */
export async function loadLog(): Promise<void> {
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
      if (!people.value.thinking) used.value = 0;
      break;
    case "used":
      used.value = message.used as number;
      break;
    case "talk":
      talk.value = [...talk.value, message.line as Talk];
      if (sheet.value !== "talk") unread.value++;
      if (sheet.value === "talk") announce(`${(message.line as Talk).author}: ${(message.line as Talk).text}`);
      else show(`${(message.line as Talk).author}: ${(message.line as Talk).text}`);
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
  const commit = verbOf("commit");
  const composing = state.offers.orders.includes(commit);
  batch(() => {
    if (state.audience !== audience) log.value = [];
    audience = state.audience;
    curtain.value = null;
    live.value = state;
    known.value = new Map();
    choices.value = null;
    if (!composing || weighed.value?.text !== commit) weighed.value = null;
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
  if (passes(state)) {
    void give(state.ask.ending.order);
    return;
  }
  if (selected.value.length) void choose(selected.value);
  else if (state.to_move === state.audience) attend(state);
  if (composing) void weigh(commit);
  else if (state.phase.side && state.phase.side !== state.to_move && state.to_move === state.audience) void weighAnswers(state);
  if (before && state.to_move !== before.to_move && state.to_move === state.audience && document.hidden) {
    document.title = "(1) Your move · Ladoga";
    tellTurn(welcome.value?.match ?? "", `${welcome.value?.game.title}: ${state.phase.title}`);
  }
}

function attend(state: State): void {
  const units = new Set(Object.keys(state.offers.units));
  const hexes = new Set((state.table.counters ?? []).filter((c) => units.has(c.id) && c.hex).map((c) => c.hex!));
  attention.value = hexes.size && hexes.size <= 3 ? [...hexes][0]! : null;
  if (attention.value) void look(attention.value);
  const [only, other] = units;
  if (only && !other && state.offers.orders.length < 2 && state.offers.units[only]!.join() !== verbOf("join")) void choose([only]);
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
