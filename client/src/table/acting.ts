// What a player does to the game: orders, undo, the end of a phase.
import { batch, signal } from "@preact/signals";
import { fresh } from "../net";
import { choose, menu, slip } from "../selection/state";
import { settings } from "../settings/settings";
import type { State, UndoState } from "../wire";
import { orderSaid, roleOf } from "../words/orders";
import { ask, line, loadLog } from "./line";
import { announce, counters, ending, live, log, missed, people, show, toast, yours } from "./state";

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
  if (undone.value[0] === text) undone.value = undone.value.slice(1);
  else undone.value = [];
  const reply = await line.ask({ t: "order", action: fresh(), version: s.version, text }, true);
  if (!reply.ok) {
    show(reply.message ?? "refused", reply.case);
    return false;
  }
  return true;
}

/** The phase in which everything offered is let pass unasked. */
const passing = signal("");
const phaseKey = (s: State): string => `${s.turn} ${s.phase.id}`;
export const passes = (s: State): boolean => s.to_move === s.audience && s.ask.ending.order === "end" && s.phase.side !== s.audience && passing.value === phaseKey(s);

/** Let this pass, and everything else that is offered in the other side's phase. */
export async function letAllPass(): Promise<void> {
  const s = live.value;
  if (!s) return;
  passing.value = phaseKey(s);
  await give(s.ask.ending.order);
}

/** Orders that were taken back, to be given again; the first is the earliest. */
export const undone = signal<string[]>([]);

/** Give again what was taken back, as far as the rules still allow it. */
export async function again(): Promise<void> {
  const plan = [...undone.value];
  await giveAll(() => plan.shift(), plan.length);
  undone.value = plan;
}

/** One order after another, as long as there is one to give and none is refused. */
export async function giveAll(next: () => string | undefined, most = 40): Promise<void> {
  for (let left = most; left > 0; left--) {
    const order = next();
    const version = live.value?.version;
    if (!order || !(await give(order)) || live.value?.version === version) return;
  }
}

/** What would be taken back, in words. */
export const backWords = (u: UndoState): string => {
  const role = u.order && roleOf(u.order);
  return !role || role === "end" ? u.text : role === "commit" ? "the attack" : orderSaid(u.order);
};

export async function undo(to?: number): Promise<void> {
  const s = live.value;
  if (!s?.undo || !line) return;
  if (s.undo.to === null) {
    show(`Cannot undo: ${s.undo.text}`);
    return;
  }
  const back = to ?? s.undo.to;
  if ((log.value.at(-1)?.n ?? 0) < s.n) await loadLog();
  const mine = log.value.filter((e) => e.n > back && e.side === s.audience && e.text && !e.roll).map((e) => e.text);
  const reply = await line.ask({ t: "undo", action: fresh(), version: s.version, to: back }, true);
  if (!reply.ok) {
    show(reply.message ?? "refused");
    return;
  }
  undone.value = [...mine, ...undone.value];
  announce(`Undone: ${backWords(s.undo)}`);
}

/** The last order of one's own that is not free to be taken back, where another person could agree to it. */
export function askable(): number | null {
  const s = live.value;
  const seats = people.value?.seats ?? [];
  const own = people.value?.you ?? [];
  if (!s || s.over || s.takeback || !own.length || seats.some((seat) => seat.player || (!own.includes(seat.side) && !seat.taken))) return null;
  if (seats.every((seat) => own.includes(seat.side))) return null;
  const last = log.value.findLast((e) => own.includes(e.side) && e.text && !e.roll);
  return last && (s.undo?.to == null || !yours.value) ? last.n - 1 : null;
}

/** Ask the other side to let one's last order be taken back. */
export async function askBack(): Promise<void> {
  const to = askable();
  if (to === null) return;
  const reply = await ask({ t: "askback", to });
  if (!reply.ok) show(reply.message ?? "refused");
}

/** Take back everything of this phase that may be taken back. */
export async function resetPhase(): Promise<void> {
  const s = live.value;
  if (!s?.undo) return;
  const before = log.value.findLast((e) => e.turn !== s.turn || e.phase !== s.phase.title)?.n ?? 0;
  const to = Math.max(s.undo.floor, before);
  if (to < s.n) await undo(to);
}

/** End the phase, or decline what is offered; held back, say why and show where. */
export async function end(sure = false): Promise<void> {
  const s = live.value;
  if (!s || !yours.value) return;
  const { order, held, why, case: number } = s.ask.ending;
  if (!order) {
    show(why || held || "This phase cannot end yet", number);
    showWaiting();
    return;
  }
  const closing = order !== "end";
  if (!sure && closing && s.table.warnings?.length) {
    ending.value = [];
    return;
  }
  const idle = Object.keys(s.offers.units).filter((id) => counters.value.get(id)?.hex && s.offers.units[id]!.some((v) => roleOf(v) === "go"));
  if (!sure && closing && settings.value.warn && idle.length) {
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

/** Show the first unit that something is still asked of. */
function showWaiting(): void {
  const first = Object.keys(live.value?.offers.units ?? {})[0];
  if (first) void choose([first]);
}
