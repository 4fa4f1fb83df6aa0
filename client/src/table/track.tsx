// The turn track below the map.

import { shortDate } from "../words/text";
import { keepInSight } from "./bar";
import { counters, shown, sideName, welcome } from "./state";

export function Track() {
  const w = welcome.value;
  const s = shown.value;
  if (!w || !s) return null;
  const turns = w.game.scenarios[w.scenario]?.turns ?? w.game.turns;
  const due = new Map<number, string[]>();
  const boxes = new Map((s.table.boxes ?? []).map((b) => [b.id, b]));
  for (const c of counters.value.values()) {
    const turn = c.box ? boxes.get(c.box)?.turn : undefined;
    if (turn) due.set(turn, [...(due.get(turn) ?? []), c.id]);
  }
  return (
    <ol class="track" tabIndex={0} aria-label="Turn record track">
      {Array.from({ length: turns }, (_, i) => i + 1).map((t) => {
        const ids = due.get(t) ?? [];
        const by = new Map<string, number>();
        for (const id of ids) {
          const side = counters.value.get(id)!.side;
          by.set(side, (by.get(side) ?? 0) + 1);
        }
        return (
          <li key={t} ref={t === s.turn ? keepInSight : undefined} class={t < s.turn ? "past" : t === s.turn ? "now" : ""} aria-current={t === s.turn ? "date" : undefined}>
            <b>{t}</b>
            <span>{shortDate(w.game.calendar[t - 1] ?? "")}</span>
            <span class="due">
              {[...by].map(([side, n]) => (
                <em key={side} class={side} title={`${n} ${sideName(side)} due`}>
                  {n}
                </em>
              ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
