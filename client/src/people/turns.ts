// One's turn elsewhere: told by any page that is open, in its title and, if wished, by the system.
import { signal } from "@preact/signals";
import { get } from "../net";
import { settings } from "../settings/settings";
import type { Summary } from "../wire";

/** Matches between people, or with oneself at another table, in which it is one's move. */
export const elsewhere = signal<Summary[]>([]);
const EVERY = 60_000;

const waits = (m: Summary): boolean =>
  !m.over && m.kind !== "study" && !!m.to_move && m.you.includes(m.to_move) && m.seats.some((s) => s.taken && !s.player && !m.you.includes(s.side));

/** Tell somebody who looks elsewhere, if they wish it and the browser lets us. */
export function tellTurn(match: string, body: string): void {
  if (!settings.value.notify || !("Notification" in window) || Notification.permission !== "granted") return;
  new Notification("Your move", { body, tag: match }).onclick = () => {
    window.focus();
    if (!location.pathname.endsWith(match)) location.href = `/g/${match}`;
  };
}

/** Look now and then whether it is one's move at another table than this one. */
export function watchTurns(here: string): () => void {
  let known: string[] | null = null;
  const look = async (): Promise<void> => {
    const { matches } = await get<{ matches: Summary[] }>("/api/matches").catch(() => ({ matches: null as Summary[] | null }));
    if (!matches) return;
    const mine = matches.filter((m) => m.id !== here && waits(m));
    for (const m of mine) if (known && !known.includes(m.id)) tellTurn(m.id, `${m.title}: turn ${m.turn}, ${m.phase}`);
    known = mine.map((m) => m.id);
    elsewhere.value = mine;
    const bare = document.title.replace(/^\(\d+\) /, "");
    document.title = mine.length ? `(${mine.length}) ${bare}` : bare;
  };
  const timer = setInterval(() => void look(), EVERY);
  if (!here) void look();
  return () => clearInterval(timer);
}
