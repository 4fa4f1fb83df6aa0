// The dice: their proof, and how lucky each side was.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../net";
import { goTo } from "../replay/replay";
import { live, sheet, sideName, welcome } from "../table/state";
import type { LuckReport, Proof, Throw } from "../wire";
import { Heads, Linked, SideMark } from "../words/pieces";
import { checkRolls } from "./proof";

const proof = signal<Proof | null>(null);
export const verdict = signal("");

async function verify(): Promise<void> {
  const p = await get<Proof>(`/api/matches/${welcome.value!.match}/proof`);
  proof.value = p;
  verdict.value = p.seed ? checkRolls(p) : "";
}

export function Dice() {
  const w = welcome.value;
  useEffect(() => {
    proof.value = null;
    verdict.value = "";
    if (live.value?.over) void verify();
  }, [w?.match]);
  return (
    <>
      <p>
        Before the first roll the server published a fingerprint of a secret number. Every roll follows from that number and the count of the roll alone. When the game is over the
        number is shown, and this page works out every roll again.
      </p>
      <p class="mono">{w?.commitment}</p>
      {!live.value?.over && <p class="mute">The secret number is shown when the game is over.</p>}
      {proof.value?.seed && (
        <>
          <p class="mono">{proof.value.seed}</p>
          {w?.kind === "study" && !verdict.value.startsWith("All") ? (
            <p class="mute" role="status">
              This board was opened from a file. Its number speaks only for dice thrown here; a finished record carries its own, which the command line checks.
            </p>
          ) : (
            <p class={verdict.value.startsWith("All") ? "good" : "bad"} role="status">
              {verdict.value}
            </p>
          )}
          <Luck />
          <Faces proof={proof.value} />
        </>
      )}
    </>
  );
}

const report = signal<LuckReport | null>(null);

/** How far luck strayed from what was to be expected, in words that do not claim more than the dice tell. */
function strayed(luck: number, spread: number): string {
  if (!spread) return "no dice to speak of";
  const far = Math.abs(luck) / spread;
  const how = far < 0.5 ? "about what the odds promised" : far < 1 ? "a little" : far < 2 ? "clearly" : "remarkably";
  return far < 0.5 ? how : `${how} ${luck > 0 ? "lucky" : "unlucky"}`;
}

export const steps = (v: number): string => `${v < 0 ? "−" : v > 0 ? "+" : ""}${Math.abs(v).toFixed(1)}`;

function Throws({ title, throws }: { title: string; throws: Throw[] }) {
  if (!throws.length) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="throws">
        {throws.map((t) => (
          <li key={t.n}>
            <SideMark side={t.side} />
            <span>
              {sideName(t.side)}, turn {t.turn}: <Linked text={t.title} />, result <b>{t.result}</b>
              {t.chance > 0 && `, a chance of ${(100 * t.chance).toFixed(1)} %`}
            </span>
            <b class={t.luck < 0 ? "neg" : "pos"}>{steps(t.luck)}</b>
            <button
              type="button"
              class="jump"
              title={`Show the table after event ${t.n}`}
              onClick={() => {
                sheet.value = null;
                void goTo(t.n);
              }}
            >
              #{t.n}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the attacks of each side should have brought, and what they did. */
function Luck() {
  const match = welcome.value?.match;
  useEffect(() => {
    report.value = null;
    if (match)
      void get<LuckReport>(`/api/matches/${match}/luck`).then((r) => {
        report.value = r;
      });
  }, [match]);
  const r = report.value;
  if (!r) return <p class="mute">Working out the luck of both sides …</p>;
  if (!Object.values(r.sides).some((l) => l.attacks))
    return (
      <p class="mute" data-luck>
        No attack was made, so there is no luck to weigh.
      </p>
    );
  return (
    <section class="luck" data-luck>
      <h3>Luck</h3>
      <table class="ledger">
        <thead>
          <Heads of={["Side", "Attacks", "Expected", "Got", "Luck, both sides' attacks"]} />
        </thead>
        <tbody>
          {Object.entries(r.sides).map(([side, l]) => (
            <tr key={side}>
              <td>
                <SideMark side={side} /> {sideName(side)}
              </td>
              <td class="cond">{l.attacks}</td>
              <td class="cond">{steps(l.expected)}</td>
              <td class="cond">{steps(l.got)}</td>
              <td>
                <b class="cond">{steps(l.luck)}</b> {strayed(l.luck, r.spread)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        Counted in steps: what attacks cost the defender less what they cost the attacker, by the code of the result, retreats as parts of a step. Expected is the exact odds at the
        moment of commitment, as the attacker could know them. Two games in three stay within ±{r.spread.toFixed(1)}.{" "}
        {r.other > 0 && `Other throws and draws (weather, arrivals, strengths), ${r.other} of them, are not weighed. `}What players made of their luck is not weighed.
      </p>
      <Throws title="Luckiest attacks" throws={r.best} />
      <Throws title="Unluckiest attacks" throws={r.worst} />
    </section>
  );
}

function Faces({ proof: p }: { proof: Proof }) {
  const sides = welcome.value?.game.sides ?? [];
  return (
    <section class="luck">
      <h3>Dice by side on move</h3>
      {sides.map((side) => {
        const rolls = p.rolls.filter((r) => r.side === side && r.result.startsWith("die ")).map((r) => Number(r.result.slice(4)));
        const most = Math.max(1, ...[1, 2, 3, 4, 5, 6].map((n) => rolls.filter((r) => r === n).length));
        const mean = rolls.length ? rolls.reduce((a, b) => a + b, 0) / rolls.length : 0;
        return (
          <div key={side} class="histogram">
            <b>
              <SideMark side={side} /> {sideName(side)}: {rolls.length} {rolls.length === 1 ? "die" : "dice"}
              {rolls.length ? `, average ${mean.toFixed(2)} (expected 3.50)` : ""}
            </b>
            <div class="bars" aria-hidden="true">
              {[1, 2, 3, 4, 5, 6].map((n) => {
                const count = rolls.filter((r) => r === n).length;
                return (
                  <span key={n}>
                    <i style={{ height: `${(48 * count) / most}px` }} />
                    {n}
                    <small>{count}</small>
                  </span>
                );
              })}
            </div>
          </div>
        );
      })}
    </section>
  );
}
