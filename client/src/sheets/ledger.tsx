// The victory ledger, and how a game ended.
import type { ComponentChildren } from "preact";
import { post } from "../net";
import { goTo } from "../replay/replay";
import { live, people, sheet, sideName, welcome } from "../table/state";
import type { Outcome } from "../wire";
import { CaseLink, Heads, Linked, SideMark } from "../words/pieces";
import { verdict as inWords, signed } from "../words/text";
import { Dice } from "./dice";

export function Ledger({ outcome, children }: { outcome: Outcome; children?: ComponentChildren }) {
  return (
    <>
      <p class="verdict">
        {inWords(outcome)} <CaseLink number={outcome.case} />
      </p>
      {children}
      <table class="ledger">
        <thead>
          <Heads of={["Side", "For", "Case", "Points"]} />
        </thead>
        <tbody>
          {outcome.ledger.map((e, i) => (
            <tr key={i}>
              <td>
                <SideMark side={e.side} /> {sideName(e.side)}
              </td>
              <td>
                <Linked text={e.label} />
              </td>
              <td>
                <CaseLink number={e.case} />
              </td>
              <td class="cond">{signed(e.points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!outcome.ledger.length && <p class="mute">No points yet.</p>}
    </>
  );
}

/** The same game again, with the same people or computers, or the other way round. */
function Rematch() {
  const w = welcome.value;
  const seats = people.value?.seats;
  const you = people.value?.you ?? [];
  if (!w || !seats || !you.length) return null;
  const again = async (swap: boolean): Promise<void> => {
    const who = seats.map((s) => s.player || (you.includes(s.side) ? "me" : "open"));
    if (swap) who.reverse();
    const made = await post<{ id: string; invites: Record<string, string> }>("/api/matches", {
      game: w.game.id,
      scenario: w.scenario,
      options: w.options,
      seats: Object.fromEntries(seats.map((s, i) => [s.side, who[i]])),
      kind: w.kind === "strict" ? "strict" : "match",
    });
    const link = Object.values(made.invites)[0];
    if (link) sessionStorage.setItem(`invite ${made.id}`, link);
    location.href = `/g/${made.id}`;
  };
  return (
    <>
      <button type="button" class="btn go" onClick={() => void again(false)}>
        Rematch
      </button>
      {you.length < seats.length && (
        <button type="button" class="btn" onClick={() => void again(true)}>
          Swap sides
        </button>
      )}
    </>
  );
}

export function End() {
  const o = live.value?.outcome;
  if (!o) return null;
  return (
    <>
      {o.by && <p>{o.level === "on time" ? `${sideName(o.by)} ran out of time.` : `${sideName(o.by)} resigned.`}</p>}
      {o.agreed && <p>Ended by agreement.</p>}
      <Ledger outcome={o}>
        <div class="acts wrap">
          <a class="btn teal" href={`/g/${welcome.value?.match}/debrief`}>
            Debrief
          </a>
          <Rematch />
          <button
            type="button"
            class="btn"
            onClick={() => {
              sheet.value = null;
              void goTo(0);
            }}
          >
            Replay
          </button>
          <button type="button" class="btn" onClick={() => (sheet.value = "keep")}>
            Save, share, print
          </button>
          <a class="btn" href="/">
            Front page
          </a>
        </div>
      </Ledger>
      <h3>The dice</h3>
      <Dice />
    </>
  );
}
