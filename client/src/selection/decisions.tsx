// Decisions that concern no unit, and what can be done at a hex.
import { useEffect, useRef } from "preact/hooks";
import { give } from "../table/acting";
import { live, welcome, yours } from "../table/state";
import { roleOf } from "../words/orders";
import { Orders } from "./orders";
import { menu, take, weighed } from "./state";

/** Orders that concern no unit, other than ending the phase. */
export function Decisions() {
  const s = live.value;
  if (!s || !yours.value) return null;
  const weighing = weighed.value?.text === "commit";
  const open = (o: string): boolean => roleOf(o) !== "end" && !(o === "commit" && weighed.value) && !(o === "cancel" && weighing && s.undo?.to != null);
  const orders = s.offers.orders.filter((o) => open(o) && !weighed.value?.variants.includes(o));
  if (!orders.length) return null;
  const verbs = new Set(orders.map((o) => o.split(" ")[0]!));
  return (
    <div class="acts wrap decisions" role="group" aria-label="Decisions">
      <Orders orders={orders} act={give} />
      {verbs.size === 1 && orders.length < 6 && <p class="note">{welcome.value?.game.verbs[[...verbs][0]!]?.help}</p>}
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
