// What is done with the outcome of a fight: losses, retreats, advances, each with what it means on its button.

import { choose } from "../selection/state";
import { end, give, giveAll } from "../table/acting";
import { counters, live, yours } from "../table/state";
import type { Counter, Spelt } from "../wire";
import { deedWords, nameOf, orderWords, roleOf } from "../words/orders";
import { Chip } from "../words/pieces";
import { unitName } from "../words/text";

const role = (o: Spelt): string => roleOf(o.text);
const target = (o: Spelt): string => o.hexes.at(-1) ?? "";

/** Orders of these units into a hex, one a unit, the shortest way. */
export function into(hex: string, units?: string[]): string[] {
  const by = new Map<string, Spelt>();
  for (const o of live.value?.offers.due ?? [])
    if (role(o) === "advance" && target(o) === hex && (!units?.length || o.units.every((u) => units.includes(u)))) {
      const known = by.get(o.units.join());
      if (!known || o.hexes.length < known.hexes.length) by.set(o.units.join(), o);
    }
  return [...by.values()].map((o) => o.text);
}

/** Units advance one after another, as far as there is room; those that did stay chosen, to go on with. */
export async function advance(hex: string, units?: string[]): Promise<void> {
  const gone: string[] = [];
  await giveAll(() => {
    const [next] = into(hex, units);
    if (next) gone.push(next.split(" ")[1]!);
    return next;
  });
  const able = gone.filter((u) => live.value?.offers.units[u]);
  if (able.length) await choose(able);
}

function Row({ c, orders }: { c: Counter; orders: Spelt[] }) {
  const lose = orders.filter((o) => role(o) === "lose");
  const other = orders.filter((o) => role(o) !== "lose");
  const steps = c.full_steps && c.full_steps > 1 ? `${c.steps ?? 1} of ${c.full_steps} steps` : "";
  const becomes = c.reverse ? `${c.figures} → ${c.reverse}` : c.steps === 1 || !c.steps ? `${c.figures} → lost` : c.figures;
  return (
    <li data-due={c.id}>
      <Chip c={c} size={40} quiet />
      <span class="who">
        <b>{unitName(c)}</b>
        <small class="cond">{[lose.length ? becomes : c.figures, steps].filter(Boolean).join(" · ")}</small>
      </span>
      <span class="acts wrap">
        {[...lose, ...other].slice(0, 4).map((o) => (
          <button
            type="button"
            key={o.text}
            data-order={o.text}
            class={`btn ${role(o) === "retreat" && !o.hexes.length ? "perilous" : "go"}`}
            aria-label={orderWords(o.text)}
            onClick={() => void give(o.text)}
          >
            {deedWords(o.text)}
          </button>
        ))}
        {orders.length > 4 && <small class="mute">or choose it, then a lit hex</small>}
      </span>
    </li>
  );
}

/** Every unit that has to pay, with what it becomes. */
function Payments({ orders }: { orders: Spelt[] }) {
  const by = new Map<string, Spelt[]>();
  for (const o of orders) by.set(o.units[0]!, [...(by.get(o.units[0]!) ?? []), o]);
  return (
    <ul class="payments" aria-label="What has to be paid">
      {[...by].map(([id, list]) => (
        <Row key={id} c={counters.value.get(id) ?? ({ id, side: live.value?.audience ?? "" } as Counter)} orders={list} />
      ))}
    </ul>
  );
}

/** All, only one, or nobody. */
function Advances({ orders }: { orders: Spelt[] }) {
  const hexes = [...new Set(orders.map(target))];
  const ending = live.value?.ask.ending;
  return (
    <div class="advances" role="group" aria-label="Advance">
      {hexes.slice(0, 3).map((hex) => {
        const able = into(hex).map((text) => text.split(" ")[1]!);
        return (
          <div key={hex} class="acts wrap">
            {able.length > 1 && (
              <button type="button" class="btn teal" data-advance={hex} onClick={() => void advance(hex)}>
                All {able.length} advance → {hex}
              </button>
            )}
            {able.slice(0, 8).map((u) => (
              <button type="button" key={u} class="btn go" data-order={into(hex, [u])[0]} onClick={() => void give(into(hex, [u])[0]!)}>
                {able.length > 1 ? "Only " : "Advance "}
                {nameOf(u)} → {hex}
              </button>
            ))}
          </div>
        );
      })}
      {ending?.order && (
        <button type="button" class="btn" onClick={() => void end()}>
          {ending.label}
        </button>
      )}
    </div>
  );
}

export function Due() {
  const due = yours.value ? (live.value?.offers.due ?? []) : [];
  const pay = due.filter((o) => role(o) !== "advance");
  const go = due.filter((o) => role(o) === "advance");
  if (!due.length) return null;
  return (
    <section class="outcome" aria-label="Outcome">
      {pay.length > 0 && <Payments orders={pay} />}
      {go.length > 0 && <Advances orders={go} />}
    </section>
  );
}
