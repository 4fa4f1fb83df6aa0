// The moment of combat: who fought, the die that fell, the lit cell, what each side owes and has paid.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { calm } from "../map/view";
import { weighed } from "../selection/state";
import { announce, live, rules, shown, sideName } from "../table/state";
import type { Moment as Fought, Owed } from "../wire";
import { CaseLink, Chip, Linked, SideMark } from "../words/pieces";
import { percent, printed, signed } from "../words/text";
import { Due } from "./due";
import { chartCell } from "./table";

/** The fight that was put away, by its number. */
const away = signal(0);
/** Fights whose throw was seen already: they stand as they ended. */
const seen = signal(0);

export const moment = computed<Fought | null>(() => {
  const m = shown.value?.moment;
  return m && m.n !== away.value && !weighed.value ? m : null;
});
export const putAway = (): void => {
  away.value = moment.value?.n ?? away.value;
};

const SPOTS: Record<number, [number, number][]> = {
  1: [[12, 12]],
  2: [
    [7, 7],
    [17, 17],
  ],
  3: [
    [7, 7],
    [12, 12],
    [17, 17],
  ],
  4: [
    [7, 7],
    [17, 7],
    [7, 17],
    [17, 17],
  ],
  5: [
    [7, 7],
    [17, 7],
    [12, 12],
    [7, 17],
    [17, 17],
  ],
  6: [
    [7, 6.5],
    [17, 6.5],
    [7, 12],
    [17, 12],
    [7, 17.5],
    [17, 17.5],
  ],
};

/** A die, drawn; one that has more sides than six shows its figure. */
export function Die({ face, size = 46 }: { face: string; size?: number }) {
  const spots = SPOTS[Number(face)];
  return (
    <svg class="die" width={size} height={size} viewBox="0 0 24 24" role="img" aria-label={`die ${face}`}>
      <rect x="1.2" y="1.2" width="21.6" height="21.6" rx="5" />
      {spots?.map(([x, y]) => <circle key={`${x} ${y}`} cx={x} cy={y} r={2.3} />) ?? (
        <text x="12" y="16.5">
          {face}
        </text>
      )}
    </svg>
  );
}

/** What a half of a result asks of a side, in words. */
function owes(o: Owed): string {
  if (o.part.startsWith("E")) return "everything there is eliminated";
  if (!o.owed) return "nothing";
  return o.owed === 1 ? "a step, or a hex back" : "steps, hexes back, or some of each";
}

const you = (side: string): boolean => live.value?.audience === side;

function Debt({ o }: { o: Owed }) {
  const verb = you(o.side) ? "You owe" : `${sideName(o.side)} owes`;
  return (
    <li class={o.done ? "done" : ""}>
      <SideMark side={o.side} />
      <span>
        <b>{o.owed ? `${verb} ${o.owed}` : sideName(o.side)}:</b> {owes(o)}
      </span>
      {o.owed > 0 && (
        <em>
          <i class="pips" aria-hidden="true">
            {Array.from({ length: o.owed }, (_, i) => (
              <i key={i} class={i < o.paid ? "paid" : ""} />
            ))}
          </i>
          {o.done ? "settled" : `${o.paid} of ${o.owed}`}
        </em>
      )}
    </li>
  );
}

/** How likely the hex was to fall before anything was rolled. */
export function Fate({ p, code }: { p: Fought["prospects"]; code?: string }) {
  const parts = [
    ["t0", p.falls, "hex falls"],
    ["t2", p.depends, "its owner chooses"],
    ["t5", p.holds, "holds"],
  ] as const;
  return (
    <>
      <div class="sum" aria-hidden="true" data-code={code}>
        {parts.map(([tone, chance]) => chance > 0 && <i key={tone} class={tone} style={{ flexGrow: chance }} />)}
      </div>
      <p class="sums">
        <small>Before the die:</small>
        {parts.map(
          ([tone, chance, words]) =>
            chance > 0 && (
              <span key={tone}>
                <i class={tone} aria-hidden="true" />
                <b>{percent(chance)} %</b> {words}
              </span>
            ),
        )}
      </p>
    </>
  );
}

export function Pills({ modifiers, initial, column }: { modifiers: Fought["modifiers"]; initial?: string; column?: string }) {
  return (
    <ul class="pills" aria-label="Shifts">
      {modifiers
        .filter((m) => m.counts)
        .map((m, i) => (
          <li key={i}>
            <b class={String(m.amount).startsWith("-") ? "neg" : String(m.amount) === "0" ? "nil" : "pos"}>
              {signed(m.amount)}
              {m.sure ? "" : "?"}
            </b>
            <span>{m.label}</span>
            <CaseLink number={m.case} />
          </li>
        ))}
      {initial && column && initial !== column && (
        <li>
          <span>
            {initial} becomes <b>{column}</b>
          </span>
        </li>
      )}
    </ul>
  );
}

/** The counters of both sides, the attackers first. */
export function Sides({ attackers, defenders }: { attackers: Fought["attackers"]; defenders: Fought["defenders"] }) {
  if (!attackers.length && !defenders.length) return null;
  return (
    <div class="sides-of">
      {[attackers, defenders].map((side, i) => (
        <div key={i} class="chips" role="group" aria-label={i ? "Defenders" : "Attackers"}>
          {side.slice(0, 9).map((c) => (
            <span key={c.id} title={c.called}>
              <Chip c={c} size={34} />
            </span>
          ))}
          {side.length > 9 && <small>+{side.length - 9}</small>}
        </div>
      ))}
    </div>
  );
}

const spoken = (m: Fought): string => {
  const dice = m.dice.length ? `Die ${m.dice.join(" and ")}, ` : "";
  const debts = m.owed.filter((o) => o.owed || o.part.startsWith("E")).map((o) => `${you(o.side) ? "You" : sideName(o.side)}: ${owes(o)}, ${o.paid} of ${o.owed} paid`);
  return `${m.title}. ${dice}${m.column ? `column ${m.column}, ` : ""}result ${printed(m.code)}. ${debts.join(". ")}`;
};

export function Moment() {
  const m = moment.value;
  const fresh = !!m && m.n > seen.value && !calm();
  useEffect(() => {
    if (!m || m.n === seen.value) return;
    const timer = setTimeout(() => announce(spoken(m)), fresh ? 400 : 0);
    const stand = setTimeout(
      () => {
        seen.value = m.n;
      },
      fresh ? 900 : 0,
    );
    const skip = (): void => {
      seen.value = m.n;
    };
    addEventListener("pointerdown", skip, { once: true });
    addEventListener("keydown", skip, { once: true });
    return () => {
      clearTimeout(timer);
      clearTimeout(stand);
      removeEventListener("pointerdown", skip);
      removeEventListener("keydown", skip);
    };
  }, [m?.n]);
  if (!m) return null;
  const chart = rules.value?.charts.find((c) => c.id === m.table);
  const lit = chart ? chartCell(chart, m) : null;
  return (
    <section class={`moment${fresh ? " fresh" : ""}`} aria-label="The fight" data-fight={m.n}>
      <header>
        <h2>{m.title}</h2>
        <span class="cond">{m.hexes.filter((h) => !m.title.includes(h)).join(", ")}</span>
      </header>
      <Sides attackers={m.attackers} defenders={m.defenders} />
      {(m.attack || m.defence) && (
        <p class="strengths">
          <span>
            <b>{m.attack}</b> {sideName(m.side)} attack
          </span>
          {m.defence && (
            <span>
              defence <b>{m.defence}</b>
            </span>
          )}
        </p>
      )}
      <Pills modifiers={m.modifiers} initial={m.initial} column={m.column} />
      {lit && (
        <div class="crt-wrap">
          <table class="crt thrown">
            <caption class="sr">
              {chart!.title}, column {m.column}, result {m.code}
            </caption>
            <thead>
              <tr>
                {chart!.head.map((h, i) => (
                  <th key={i} scope="col" class={i === lit.column ? "lit" : ""}>
                    {h}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {chart!.rows.map((row, r) => (
                <tr key={r} class={r === lit.row ? "row" : ""}>
                  {row.map((cell, i) => (
                    <td key={i} class={`${i === lit.column ? "lit" : ""}${i === lit.column && r === lit.row ? " cell" : ""}`}>
                      {printed(cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="result">
        <header>
          {m.dice.slice(0, 3).map((d, i) => (
            <Die key={i} face={d} />
          ))}
          <div>
            <h3>
              {m.dice.length ? `Die ${m.dice.join(", ")}` : "No die"}
              {m.column ? ` in column ${m.column}` : ""}
            </h3>
            {m.chance > 0 && (
              <small title={`exactly ${m.exact}`}>
                the chance was {percent(m.chance)} %<span class="sr">, exactly {m.exact}</span>
              </small>
            )}
          </div>
          <strong>{printed(m.code)}</strong>
        </header>
        {m.meaning && <p class="meaning">{m.meaning}</p>}
        <ul class="owed">
          {m.owed
            .filter((o) => o.owed || o.part.startsWith("E"))
            .map((o) => (
              <Debt key={o.side} o={o} />
            ))}
        </ul>
        <Fate p={m.prospects} code={m.code} />
        {m.lines.length > 1 && (
          <ul class="what">
            {m.lines.slice(-6).map((l, i) => (
              <li key={i}>
                <Linked text={l.text} /> <CaseLink number={l.case} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <Due />
    </section>
  );
}
