// Other people: seats that wait for anybody, and two computers to watch.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post } from "../net";
import { sideName } from "../table/state";
import type { OpenSeat } from "../wire";
import { SideMark } from "../words/pieces";
import { ago, shortTitle } from "../words/text";
import { game, options, problem, scenario } from "./choice";

const waiting = signal<OpenSeat[]>([]);

async function watch(): Promise<void> {
  const g = game.value;
  if (!g) return;
  try {
    const seats = Object.fromEntries(g.sides.map((s, i) => [s, i ? "officer" : "staff"]));
    const made = await post<{ id: string }>("/api/matches", { game: g.id, scenario: scenario.value, options: options.value, seats });
    location.href = `/g/${made.id}`;
  } catch (e) {
    problem.value = (e as Error).message;
  }
}

export function Others() {
  useEffect(() => {
    void get<{ invitations: OpenSeat[] }>("/api/invitations").then((found) => {
      waiting.value = found.invitations;
    });
  }, []);
  const name = (s: OpenSeat): string => shortTitle(s.title, s.game).name;
  return (
    <div class="others">
      <section class="card" aria-label="Open invitations">
        <h2 class="h">Open invitations</h2>
        {waiting.value.map((s) => (
          <p key={s.match}>
            <SideMark side={s.side} />
            <span>
              <b>{s.host}</b> seeks a {sideName(s.side)}
            </span>
            <span>{name(s)}</span>
            <small class="mute">{s.clock === "days" ? "days a turn" : s.clock === "minutes" ? "live" : ago(s.begun)}</small>
            <a class="btn go" href={s.link}>
              Sit down
            </a>
          </p>
        ))}
        {!waiting.value.length && <p class="note">Nobody waits just now. Begin a game against a person and let anybody sit down.</p>}
      </section>
      <section class="card" aria-label="Watch">
        <h2 class="h">Watch</h2>
        <p class="note">Two computer players fight the game you chose, at your pace.</p>
        <button type="button" class="btn go" disabled={!game.value} onClick={() => void watch()}>
          Watch Staff against Officer
        </button>
      </section>
    </div>
  );
}
