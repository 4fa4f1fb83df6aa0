// The charts of a game.
import { weighed } from "../selection/state";
import { rules } from "../table/state";
import type { Chart } from "../wire";
import { CaseLink, Heads } from "../words/pieces";

export function ChartView({ chart, lit }: { chart: Chart; lit?: Set<string> }) {
  return (
    <figure class="chart">
      <figcaption>
        {chart.title} <CaseLink number={chart.case} />
      </figcaption>
      <div class="scroll" tabIndex={0} role="region" aria-label={chart.title}>
        <table>
          <thead>
            <Heads of={chart.head} tone={(word) => `${word.length < 7 ? "short" : ""}${lit?.has(word) ? " lit" : ""}`} />
          </thead>
          <tbody>
            {chart.rows.map((row, r) => (
              <tr key={r} class={lit?.has(row[0] ?? "") ? "lit" : ""}>
                {row.map((cell, i) => (
                  <td key={i} class={lit?.has(chart.head[i] ?? "") && i ? "lit" : ""}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(chart.notes ?? []).map((n) => (
        <p key={n} class="note">
          {n}
        </p>
      ))}
    </figure>
  );
}

export function Charts() {
  const lit = new Set(weighed.value?.explanation.columns.map((c) => String(c.value)) ?? []);
  return (
    <>
      {(rules.value?.charts ?? []).map((c) => (
        <ChartView key={c.id} chart={c} lit={weighed.value?.explanation.table === c.id ? lit : undefined} />
      ))}
      {!rules.value?.charts.length && <p>This game has no charts.</p>}
    </>
  );
}
