// An attack before it is made: strengths, shifts with their cases, the lit column, the exact odds.
import { commits } from "../keys/keys";
import { weigh, weighed } from "../selection/state";
import { give, undo } from "../table/acting";
import { live, log, rules, welcome, yours } from "../table/state";
import type { Explanation, Spread } from "../wire";
import { orderWords, roleOf, supportWords } from "../words/orders";
import { CaseLink, Heads, Remarks } from "../words/pieces";
import { fraction, percent, printed, signed } from "../words/text";
import { Sides } from "./moment";
import "./fight.css";

function Strength({ spread, word }: { spread: Spread[]; word: string }) {
  if (!spread.length) return null;
  const values = spread.map((s) => Number(fractionValue(s.value)));
  const one = spread.length === 1;
  const label = one ? fraction(spread[0]!.value) : `${Math.min(...values)}–${Math.max(...values)}`;
  return (
    <div class="strength">
      <b>{label}</b>
      <small>{one ? word : `${word}, by draw`}</small>
    </div>
  );
}

const fractionValue = (v: number | string): number => {
  const [a, b] = String(v).split("/").map(Number);
  return b ? (a ?? 0) / b : (a ?? 0);
};

function Table({ e }: { e: Explanation }) {
  const chart = rules.value?.charts.find((c) => c.id === e.table);
  if (!chart) return null;
  const weight = new Map(e.columns.map((c) => [String(c.value), c.probability]));
  const best = [...e.columns].sort((a, b) => b.probability - a.probability)[0];
  const column = (name: string): string => (name === String(best?.value) ? "lit" : weight.has(name) ? "dim" : "");
  return (
    <div class="crt-wrap">
      <table class="crt">
        <caption class="sr">
          {chart.title}, column {String(best?.value)} lit
        </caption>
        <thead>
          {e.columns.length > 1 && (
            <tr class="weights" aria-hidden="true">
              {chart.head.map((h, i) => (
                <td key={i}>{weight.has(h) ? `${Math.round(100 * weight.get(h)!)}%` : ""}</td>
              ))}
            </tr>
          )}
          <Heads of={chart.head} tone={column} />
        </thead>
        <tbody>
          {chart.rows.map((row, r) => (
            <tr key={r} class={row[0] === String(best?.value) ? "lit" : ""}>
              {row.map((cell, i) =>
                i ? (
                  <td key={i} class={column(chart.head[i] ?? "")}>
                    {printed(cell)}
                  </td>
                ) : (
                  <th key={i} scope="row">
                    {cell}
                  </th>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Who a result hurts, as far as its words tell: teal only the defender, oxblood only the attacker or nobody, gold both. */
function tone(words: string): string {
  const hurt = { attacker: false, defender: false };
  for (const clause of words.toLowerCase().split(/[;,]/))
    for (const who of ["attacker", "defender"] as const) if (clause.includes(who) && !/no effect|nothing|unharmed|no loss/.test(clause)) hurt[who] = true;
  if (!hurt.defender) return "t5";
  return hurt.attacker ? "t2" : "t0";
}

const SHOWN = 8;
const RARE = 0.01;
const total = (results: Spread[]): number => results.reduce((sum, r) => sum + r.probability, 0);

/** The likeliest results, and those too rare or too many to be read one by one. */
export function parted(results: Spread[]): [Spread[], Spread[]] {
  const sorted = [...results].sort((a, b) => b.probability - a.probability);
  const cut = sorted.findIndex((r, i) => i >= SHOWN || r.probability < RARE);
  return cut < 0 || sorted.length - cut < 2 ? [sorted, []] : [sorted.slice(0, cut), sorted.slice(cut)];
}

function Rows({ e, rows, most }: { e: Explanation; rows: Spread[]; most: number }) {
  return (
    <ul class="results" aria-label="Chances of each result">
      {rows.map((r) => (
        <li key={r.value} data-result={r.value} title={`exactly ${r.exact}`}>
          <b>{printed(String(r.value))}</b>
          <span class="what">{e.meaning[String(r.value)] ?? ""}</span>
          <i class="bar" aria-hidden="true">
            <i class={tone(e.meaning[String(r.value)] ?? "")} style={{ width: `${(100 * r.probability) / most}%` }} />
          </i>
          <em>
            {percent(r.probability)}
            <span class="sr"> percent, exactly {r.exact}</span>
          </em>
        </li>
      ))}
    </ul>
  );
}

function Results({ e }: { e: Explanation }) {
  const [likely, rare] = parted(e.results);
  const most = Math.max(...e.results.map((r) => r.probability), 0.01);
  return (
    <div class="all-results">
      <Rows e={e} rows={likely} most={most} />
      {rare.length > 0 && (
        <details class="rarer">
          <summary>
            <span>{rare.length} rarer results</span> <em>{percent(total(rare))}</em>
          </summary>
          <Rows e={e} rows={rare} most={most} />
        </details>
      )}
    </div>
  );
}

/** The three chances a player weighs an attack by. */
function Chances({ e }: { e: Explanation }) {
  const p = e.prospects;
  // To the defence the attacker's losses are no losses of its own.
  const mine = !e.against.some((c) => c.side === live.value?.audience);
  const parts: [string, number, string][] = [
    ["hex falls", p.falls, "t0"],
    ...(p.depends > 0 ? ([["its owner chooses", p.depends, "t2"]] as [string, number, string][]) : []),
    [mine ? "no own loss" : "attacker unhurt", p.unhurt, "t0"],
    ...(p.depends > 0 ? [] : ([[mine ? "own loss" : "attacker hurt", 1 - p.unhurt, "t5"]] as [string, number, string][])),
  ];
  return (
    <ul class="chances" aria-label="Chances">
      {parts.map(([words, chance, tone]) => (
        <li key={words}>
          <b>{percent(Math.max(0, chance))} %</b>
          <span>{words}</span>
          <i class="bar" aria-hidden="true">
            <i class={tone} style={{ width: `${100 * chance}%` }} />
          </i>
        </li>
      ))}
    </ul>
  );
}

export function Odds() {
  const w = weighed.value;
  if (!w) return null;
  const e = w.explanation;
  const best = [...e.columns].sort((a, b) => b.probability - a.probability)[0];
  const verb = w.text.split(" ")[0]!;
  const tall = (rules.value?.charts.find((c) => c.id === e.table)?.rows.length ?? 0) > 7;
  const composing = roleOf(verb) === "commit";
  // An answer to an attack is one of a few words; an attack names units and a hex.
  const answering = w.variants.length > 1 && w.text.split(" ").length < 3;
  // In the other side's phase one supports a defence, or fires defensively.
  const helping = !!live.value?.phase.side && live.value.phase.side !== live.value.to_move;
  const back = (): void => {
    if (!composing) {
      weighed.value = null;
      return;
    }
    const aimed = log.value.findLast((entry) => roleOf(entry.text) === "aim");
    const floor = live.value?.undo?.floor ?? 0;
    void undo(aimed && aimed.n - 1 >= floor ? aimed.n - 1 : undefined);
  };
  const label = composing ? (helping ? "Commit" : "Commit attack") : answering ? orderWords(w.text) : `Commit ${verb}`;
  return (
    <section class="odds" aria-label="Odds">
      <header>
        <h2>{e.title}</h2>
        {best && <span class="ratio cond">{e.columns.length > 1 ? `${best.value} likeliest` : best.value}</span>}
      </header>
      <Sides attackers={e.units} defenders={e.against} />
      <Chances e={e} />
      {yours.value && (
        <div class="acts">
          <button type="button" class="btn commit" onClick={() => void give(w.text)}>
            {label} {commits() && <kbd>Enter</kbd>}
          </button>
          {!answering && (
            <button type="button" class="btn" onClick={back}>
              Back
            </button>
          )}
        </div>
      )}
      {yours.value && (
        <p class="warn">
          {welcome.value?.kind === "study" ? "The die is thrown at once. On this study board even that can be taken back." : "The die is thrown at once; it cannot be taken back."}
        </p>
      )}
      {w.variants.length > 1 && (
        <div class="seg variants" role="group" aria-label="Support">
          {w.variants.map((v) => (
            <button type="button" key={v} data-order={v} class={v === w.text ? "on" : ""} aria-pressed={v === w.text} onClick={() => void weigh(v, w.variants)}>
              {answering ? orderWords(v) : supportWords(v)}
            </button>
          ))}
        </div>
      )}
      <div class="versus">
        <Strength spread={e.attack} word="attack" />
        {e.attack.length > 0 && e.defence.length > 0 && <span class="serif">against</span>}
        <Strength spread={e.defence} word="defence" />
      </div>
      <Remarks texts={e.notes} tone="note" />
      <ul class="shifts">
        {e.modifiers.map((m, i) => (
          <li key={i} class={m.counts && m.sure ? "" : "off"}>
            <b class={!m.counts || String(m.amount) === "0" ? "nil" : String(m.amount).startsWith("-") ? "neg" : "pos"}>
              {m.counts ? `${signed(m.amount)}${m.sure ? "" : "?"}` : "0"}
            </b>
            <span>{m.label}</span>
            <CaseLink number={m.case} />
          </li>
        ))}
      </ul>
      {(e.modifiers.length > 0 || best) && (
        <p class="net">
          <b class={String(e.net).startsWith("-") ? "neg" : String(e.net) === "0" ? "nil" : "pos"}>{signed(e.net)}</b>
          <span>
            {e.to_die ? "To the die" : "Net shift"}
            {e.modifiers.some((m) => m.counts && !m.sure) ? ", for certain" : ""}
          </span>
          {e.initial.length === 1 && <span class="mute">from {e.initial[0]!.value}</span>}
          <strong>
            {best?.value}
            {e.columns.length > 1 ? " likeliest" : ""}
          </strong>
        </p>
      )}
      {!tall && <Table e={e} />}
      <Results e={e} />
      {tall && <Table e={e} />}
    </section>
  );
}
