// What is asked now, and what there is to know besides.

import { CaseLink, Linked, SideMark } from "../words/pieces";
import { shown, sideName, welcome, yours } from "./state";

export function Prompt() {
  const s = shown.value;
  if (!s) return null;
  const whose = s.to_move ? (yours.value ? "You" : sideName(s.to_move)) : "";
  return (
    <p class="prompt" role="status">
      {s.to_move && <SideMark side={s.to_move} />}
      <span>
        {whose && <b>{whose}: </b>}
        {whose === sideName(s.to_move) && s.prompt.startsWith(`${whose} `) ? s.prompt.slice(whose.length + 1) : s.prompt} <CaseLink number={s.phase.case} />
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
