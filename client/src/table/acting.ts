// What a player does to the game: orders, undo, the end of a phase.
import { batch } from "@preact/signals";
import { fresh } from "../net";
import { menu, slip } from "../selection/state";
import { settings } from "../settings/settings";
import { line } from "./line";
import { announce, counters, ending, live, log, missed, show, toast, yours } from "./state";

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
