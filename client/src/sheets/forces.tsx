// The order of battle, and what lies beside the map.
import { signal } from "@preact/signals";

import { counters, shown, sideName, welcome } from "../table/state";
import type { Box, Counter } from "../wire";
import { Chip, Linked, SideMark } from "../words/pieces";
import { formed, unitName } from "../words/text";

const sought = signal("");

const stateOf = (c: Counter): string => [c.full_steps && c.full_steps > 1 ? `${c.steps ?? 1} of ${c.full_steps} steps` : "", ...(c.states ?? [])].filter(Boolean).join(", ");

export function OrderOfBattle() {
  const sides = welcome.value?.game.sides ?? [];
  const all = shown.value?.table.counters ?? [];
  const boxes = new Map((shown.value?.table.boxes ?? []).map((b) => [b.id, b.title]));
  const words = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
  const told = (c: Counter): string =>
    [c.id, c.name, c.formation, c.figures, c.symbol, c.hex ? `${c.hex} on the map` : boxes.get(c.box ?? ""), (c.steps ?? 1) < (c.full_steps ?? 1) ? "reduced" : "", stateOf(c)]
      .join(" ")
      .toLowerCase();
  return (
    <>
      <label class="search">
        <span class="sr">Find units</span>
        <input
          type="search"
          placeholder="Find: a unit, a formation, a hex, “reduced”, “eliminated” …"
          value={sought.value}
          onInput={(e) => (sought.value = e.currentTarget.value)}
        />
      </label>
      {sides.map((side) => {
        const own = all.filter((c) => c.side === side && words.every((w) => told(c).includes(w)));
        const groups = new Map<string, Counter[]>();
        for (const c of own) {
          const k = c.formation || (c.hex ? "On the map" : (boxes.get(c.box ?? "") ?? "Off the map"));
          groups.set(k, [...(groups.get(k) ?? []), c]);
        }
        return (
          <section key={side}>
            <h3>
              <SideMark side={side} /> {sideName(side)}, {own.filter((c) => c.hex).length} on the map of {own.length}
            </h3>
            {[...groups].map(([name, units]) => (
              <details key={name} open={groups.size < 12 || words.length > 0}>
                <summary>
                  {formed(name)} ({units.length})
                </summary>
                <ul class="oob">
                  {units.map((c) => (
                    <li key={c.id}>
                      <Chip c={c} size={40} quiet />
                      <span>
                        {unitName(c)}
                        <small>{[c.figures, stateOf(c)].filter(Boolean).join(" · ")}</small>
                      </span>
                      <span class="cond">{c.hex ? <Linked text={c.hex} /> : (boxes.get(c.box ?? "") ?? "")}</span>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          </section>
        );
      })}
    </>
  );
}

export function Boxes() {
  const boxes = shown.value?.table.boxes ?? [];
  const by = new Map<string, Counter[]>();
  for (const c of counters.value.values()) if (c.box) by.set(c.box, [...(by.get(c.box) ?? []), c]);
  const full = boxes.filter((b) => by.has(b.id) || (b.text && !b.turn)).sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
  const sides = welcome.value?.game.sides ?? [];
  /** Boxes of the same name belong to the side their id begins with. */
  const named = (b: Box): string => {
    const side = sides.find((s) => b.id.startsWith(`${s}-`) && !b.title.toLowerCase().includes(s));
    return side ? `${sideName(side)}: ${b.title.charAt(0).toLowerCase()}${b.title.slice(1)}` : b.title;
  };
  const empty = [...new Set(boxes.filter((b) => !b.turn && !full.includes(b)).map(named))];
  if (!boxes.length) return <p>Nothing lies off the map.</p>;
  return (
    <div class="boxes">
      {full.map((b) => {
        const there = by.get(b.id) ?? [];
        return (
          <section key={b.id} class={there.length > 15 ? "large" : ""}>
            <h3>
              {named(b)}
              {sides.map((side) => {
                const count = there.filter((c) => c.side === side).length;
                return (
                  count > 0 && (
                    <small key={side} title={sideName(side)}>
                      <SideMark side={side} /> {count} <span class="sr">{sideName(side)}</span>
                    </small>
                  )
                );
              })}
            </h3>
            {b.text && <p>{b.text}</p>}
            <div class="chips">
              {there.map((c) => (
                <span key={c.id} title={`${unitName(c)} ${c.figures ?? ""}`}>
                  <Chip c={c} size={48} />
                </span>
              ))}
            </div>
          </section>
        );
      })}
      {empty.length > 0 && <p class="mute large">Empty: {empty.join(", ")}</p>}
    </div>
  );
}
