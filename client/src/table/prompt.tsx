// What is asked now, and what there is to know besides.

import { CaseLink, Linked, SideMark } from "../words/pieces";
import { phaseWords } from "../words/text";
import { shown, sideName, welcome, yours } from "./state";

/** Whose, what, how. */
export function Prompt() {
  const s = shown.value;
  if (!s) return null;
  if (s.outcome || s.over)
    return (
      <p class="prompt" role="status">
        <b>The game is over</b>
      </p>
    );
  const { what, how } = s.ask;
  const mine = yours.value && what;
  const others = s.to_move ? `${sideName(s.to_move)}: ${phaseWords(s.prompt, s.to_move)}` : s.prompt;
  return (
    <p class={`prompt${mine ? " mine" : ""}`} role="status">
      {s.to_move && <SideMark side={s.to_move} />}
      <span>
        <b>{mine ? what : others}</b>
        {mine && how ? `: ${how}` : ""} <CaseLink number={s.phase.case} />
      </span>
    </p>
  );
}

export function Lines() {
  const text = shown.value?.table.lines ?? [];
  const warnings = yours.value ? (shown.value?.table.warnings ?? []) : [];
  if (!text.length && !warnings.length) return null;
  return (
    <ul class="facts">
      {warnings.map((w) => (
        <li key={w} class="peril">
          <Linked text={w} />
        </li>
      ))}
      {text.map((l) => (
        <li key={l}>{l}</li>
      ))}
    </ul>
  );
}

/** A board for trying things out, and the way back. */
export function Study() {
  const w = welcome.value;
  if (w?.kind !== "study") return null;
  const origin = sessionStorage.getItem(`from ${w.match}`);
  return <p class="note">Study board: you play both sides, and even dice can be taken back. {origin && <a href={`/g/${origin}`}>Back to the game</a>}</p>;
}
