// The victory ledger, and how a game ended.
import type { ComponentChildren } from "preact";
import { goTo } from "../replay/replay";
import { live, sheet, sideName } from "../table/state";
import type { Outcome } from "../wire";
import { CaseLink, Linked, SideMark } from "../words/pieces";
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
          <tr>
            <th scope="col">Side</th>
            <th scope="col">For</th>
            <th scope="col">Case</th>
            <th scope="col">Points</th>
          </tr>
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

export function End() {
  const o = live.value?.outcome;
  if (!o) return null;
  return (
    <>
      {o.by && <p>{sideName(o.by)} resigned.</p>}
      {o.agreed && <p>Ended by agreement.</p>}
      <Ledger outcome={o}>
        <div class="acts wrap">
          <button
            type="button"
            class="btn teal"
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
