// Going back and forth in the record.
import { batch } from "@preact/signals";
import { march, trails } from "../map/layers";
import { post } from "../net";
import { clear } from "../selection/state";
import { ask } from "../table/line";
import { attention, geometry, live, log, past, show, shown, welcome } from "../table/state";
import type { State } from "../wire";

/** The hex an event of the record was about, to be brought into sight. */
function whereItWas(n: number): string | undefined {
  const entry = log.value.find((e) => e.n === n);
  const words = [entry?.text, ...(entry?.lines.map((l) => l.text) ?? [])].join(" ").match(/\b[A-Z]?\d{1,4}\b/g) ?? [];
  return words.find((w) => w.length > 1 && geometry.value?.has(w));
}

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
