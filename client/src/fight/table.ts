// Where a result stands in the combat table.
import type { Chart, Moment } from "../wire";

/** The row and the column of a result in its chart; nothing where the chart is laid out another way. */
export function chartCell(chart: Chart, m: Moment): { row: number; column: number } | null {
  const column = chart.head.indexOf(m.column);
  if (column < 0) return null;
  const sum = m.dice.reduce((total, d) => total + Number(d), 0);
  const net = m.to_die ? m.modifiers.filter((x) => x.counts).reduce((total, x) => total + Number(x.amount), 0) : 0;
  const rows = chart.rows.map((row, r) => ({ r, face: row[0] ?? "", cell: row[column] ?? "" }));
  const wanted = String(sum + net);
  const found = rows.find((x) => x.face === wanted && x.cell === m.code) ?? rows.find((x) => x.face.replace(/\D.*$/, "") === wanted && x.cell === m.code);
  return found ? { row: found.r, column } : null;
}
