// What can be gone on with.

import { send } from "../net";
import type { Summary } from "../wire";
import { SideMark, Sure } from "../words/pieces";
import { ago, phaseWords, shortTitle, verdict } from "../words/text";
import { all, mine, unread } from "./choice";

const gameName = (m: Summary): string => {
  const t = shortTitle(m.title, m.game);
  return t.year ? `${t.name}, ${t.year}` : t.name;
};

const opponents = (m: Summary): string => {
  const others = m.seats.filter((s) => !m.you.includes(s.side)).map((s) => s.player || s.name || (s.taken ? "a player" : "nobody yet"));
  return others.length ? `against ${others.join(", ")}` : m.kind === "study" ? "study board" : "hot seat";
};

/** Whether nobody else sits there, so that it may be thrown away. */
export const own = (m: Summary): boolean => m.seats.every((s) => m.you.includes(s.side) || s.player || !s.taken);

/** A match in one line, to go on with, to replay, or to be rid of. */
function Slip({ m, side, words, act, teal }: { m: Summary; side: string; words: string; act: string; teal?: boolean }) {
  const forget = async (): Promise<void> => {
    try {
      await send("DELETE", `/api/matches/${m.id}`);
      mine.value = mine.value.filter((other) => other.id !== m.id);
    } catch (e) {
      unread.value = (e as Error).message;
    }
  };
  return (
    <div class="slipcard">
      <SideMark side={side} />
      <a href={`/g/${m.id}`}>
        <b>{gameName(m)}</b>
        <small>
          {words} · {ago(m.moved ?? m.begun)}
        </small>
      </a>
      <a class={`btn ${teal ? "teal" : ""}`} href={`/g/${m.id}`} tabIndex={-1} aria-hidden="true">
        {act}
      </a>
      {m.over && (
        <a class="btn" href={`/g/${m.id}/debrief`}>
          Debrief
        </a>
      )}
      {own(m) && <Sure label="✕" quiet={`Throw away ${gameName(m)}, ${words}`} question="Throw it away for good?" yes="Yes" act={forget} />}
    </div>
  );
}

export function Running() {
  const first = (m: Summary): number => (m.to_move && m.you.includes(m.to_move) && m.kind !== "study" ? 0 : 1);
  const running = mine.value.filter((m) => !m.over).sort((a, b) => first(a) - first(b));
  const going = running.slice(0, all.value ? 60 : 6);
  const done = mine.value.filter((m) => m.over).slice(0, 12);
  return (
    <>
      {going.length > 0 && (
        <section class="resume" aria-label="Running games">
          {going.map((m) => {
            const yours = !!m.to_move && m.you.includes(m.to_move);
            const bare = phaseWords(m.phase, m.to_move ?? "");
            const phase = yours && m.you.length === 1 ? (bare === m.phase ? `your move in ${bare}` : `your ${bare}`) : m.phase;
            return <Slip key={m.id} m={m} side={m.to_move ?? ""} words={`Turn ${m.turn}, ${phase}, ${opponents(m)}`} act={yours ? "Continue" : "Watch"} teal={yours} />;
          })}
          {running.length > going.length && (
            <button type="button" class="quiet" onClick={() => (all.value = true)}>
              {running.length - going.length} more running {running.length - going.length === 1 ? "game" : "games"}
            </button>
          )}
        </section>
      )}
      {done.length > 0 && (
        <details class="ended">
          <summary>
            {done.length} finished {done.length === 1 ? "game" : "games"} to replay
          </summary>
          {done.map((m) => (
            <Slip key={m.id} m={m} side={m.outcome?.winner ?? ""} words={`${m.outcome ? `${verdict(m.outcome)} · ` : ""}${m.events} events`} act="Replay" />
          ))}
        </details>
      )}
    </>
  );
}
