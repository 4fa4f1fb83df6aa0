// Decisions that concern no unit, and what can be done at a hex.
import { useEffect, useRef } from "preact/hooks";
import { give, giveAll, letAllPass } from "../table/acting";
import { counters, live, welcome, yours } from "../table/state";
import { roleOf, verbOf } from "../words/orders";
import { Orders } from "./orders";
import { menu, take, weighed } from "./state";

/** Orders that concern no unit, other than ending the phase. */
export function Decisions() {
  const s = live.value;
  if (!s || !yours.value) return null;
  const commit = verbOf("commit");
  const weighing = weighed.value?.text === commit;
  const open = (o: string): boolean => roleOf(o) !== "end" && !(o === commit && weighed.value) && !(roleOf(o) === "cancel" && weighing && s.undo?.to != null);
  const orders = s.offers.orders.filter((o) => open(o) && !weighed.value?.variants.includes(o));
  if (!orders.length) return null;
  const verbs = new Set(orders.map((o) => o.split(" ")[0]!));
  return (
    <div class="acts wrap decisions" role="group" aria-label="Decisions">
      <Orders orders={orders} act={give} />
      {verbs.size === 1 && orders.length < 6 && roleOf([...verbs][0]!) !== "support" && <p class="note">{welcome.value?.game.verbs[[...verbs][0]!]?.help}</p>}
    </div>
  );
}

/** Units that may join the attack being put together: all of them, or a whole stack, with one click. */
export function Joining() {
  const s = live.value;
  if (!s || !yours.value) return null;
  const joins = (id: string): string | undefined => s.offers.units[id]?.find((v) => roleOf(v) === "join");
  const able = Object.keys(s.offers.units).filter(joins);
  if (!able.length) return null;
  const by = new Map<string, string[]>();
  for (const id of able) {
    const hex = counters.value.get(id)?.hex ?? "";
    by.set(hex, [...(by.get(hex) ?? []), id]);
  }
  const add = (ids: string[]): Promise<void> =>
    giveAll(() => {
      const next = ids.find((id) => live.value?.offers.units[id]?.some((v) => roleOf(v) === "join"));
      return next && `${joins(next)} ${next}`;
    });
  const mine = s.phase.side === s.audience;
  return (
    <div class="acts wrap joining" role="group" aria-label="Add to the attack">
      {able.length > 1 && (
        <button type="button" class="btn go" data-join="all" onClick={() => void add(able)}>
          Add all who may join
        </button>
      )}
      {by.size > 1 &&
        [...by].map(
          ([hex, ids]) =>
            ids.length > 1 && (
              <button type="button" key={hex} class="btn" data-join={hex || "off"} onClick={() => void add(ids)}>
                Add the {ids.length} in {hex || "reserve"}
              </button>
            ),
        )}
      {!mine && s.ask.ending.order && (
        <button type="button" class="btn" onClick={() => void letAllPass()}>
          Let all pass this phase
        </button>
      )}
    </div>
  );
}

export function Menu() {
  const m = menu.value;
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>(".acts :is(button, input)")?.focus(), [m]);
  if (!m) return null;
  return (
    <section class="menu" ref={box} aria-label={`Orders at ${m.hex}`}>
      <header>
        <h2>At {m.hex}</h2>
      </header>
      <div class="acts wrap">
        <Orders orders={m.orders} act={take} />
        <button
          type="button"
          class="btn"
          onClick={() => {
            menu.value = null;
          }}
        >
          Back
        </button>
      </div>
    </section>
  );
}
