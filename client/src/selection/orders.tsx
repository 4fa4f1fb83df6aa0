// Orders as buttons; many that differ only by a number as one field, many that differ only by a word as one list.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { counters, welcome } from "../table/state";
import { orderWords } from "../words/orders";
import { plain, unitName } from "../words/text";

export interface Family {
  head: string;
  last: string[];
  numbers: boolean;
}

const FEW = 5;
const MANY = 12;

/** Orders one by one, except for large families that share all but the last word. */
export function families(orders: string[]): (string | Family)[] {
  const heads = new Map<string, string[]>();
  const cut = (o: string): [string, string] => [o.slice(0, o.lastIndexOf(" ")), o.slice(o.lastIndexOf(" ") + 1)];
  for (const o of orders) {
    const [head, last] = cut(o);
    if (o.includes(" ")) heads.set(head, [...(heads.get(head) ?? []), last]);
  }
  const told = new Set<string>();
  return orders.flatMap<string | Family>((o) => {
    const [head] = cut(o);
    const last = o.includes(" ") ? heads.get(head)! : [];
    const numbers = last.every((w) => /^\d+$/.test(w));
    if (last.length <= (numbers ? FEW : MANY)) return [o];
    if (told.has(head)) return [];
    told.add(head);
    return [{ head, last, numbers }];
  });
}

const helpOf = (text: string): string => welcome.value?.game.verbs[text.split(" ")[0]!]?.help ?? "";
type Choice = { family: Family; act: (order: string) => unknown };

/** A field in which the last word of an order is chosen; the order is given by the button or by Enter. */
function ChosenOrder({ family, act, word, children }: Choice & { word: string | number; children: ComponentChildren }) {
  const order = `${family.head} ${word}`;
  return (
    <form
      class="number"
      onSubmit={(e) => {
        e.preventDefault();
        void act(order);
      }}
    >
      <label>{children}</label>
      <button type="submit" class="btn go">
        {orderWords(order)}
      </button>
      {helpOf(order) && <p class="note">{helpOf(order)}</p>}
    </form>
  );
}

/** A number to choose, with steps. */
function NumberOrder({ family, act }: Choice) {
  const known = family.last.map(Number).sort((a, b) => a - b);
  const [least, most] = [known[0]!, known.at(-1)!];
  const at = useSignal(least);
  const set = (v: number): void => {
    const wished = Math.max(least, Math.min(most, v));
    at.value = known.reduce((best, k) => (Math.abs(k - wished) < Math.abs(best - wished) ? k : best), least);
  };
  const step = (by: number): void => set(known[known.indexOf(at.value) + by] ?? at.value);
  return (
    <ChosenOrder family={family} act={act} word={at.value}>
      <span>
        {orderWords(family.head)}, {least} to {most}
      </span>
      <span class="stepper-field">
        <button type="button" class="btn" aria-label="One less" disabled={at.value === least} onClick={() => step(-1)}>
          −
        </button>
        <input
          type="number"
          min={least}
          max={most}
          value={at.value}
          aria-label={`${orderWords(family.head)}, ${least} to ${most}`}
          onInput={(e) => e.currentTarget.value && set(Number(e.currentTarget.value))}
          onFocus={(e) => e.currentTarget.select()}
        />
        <button type="button" class="btn" aria-label="One more" disabled={at.value === most} onClick={() => step(1)}>
          +
        </button>
      </span>
    </ChosenOrder>
  );
}

/** A word to choose from a list. */
function ListOrder({ family, act }: Choice) {
  const at = useSignal(family.last[0]!);
  return (
    <ChosenOrder family={family} act={act} word={at.value}>
      <span>{orderWords(family.head)}</span>
      <select value={at.value} onChange={(e) => (at.value = e.currentTarget.value)}>
        {family.last.map((w) => (
          <option key={w} value={w}>
            {counters.value.has(w) ? unitName(counters.value.get(w)!) : plain(w)}
          </option>
        ))}
      </select>
    </ChosenOrder>
  );
}

/** All of these orders, each to be taken up. */
export function Orders({ orders, act, quiet }: { orders: string[]; act: (order: string) => unknown; quiet?: (order: string) => boolean }) {
  return (
    <>
      {families(orders).map((o) =>
        typeof o === "string" ? (
          <button type="button" key={o} data-order={o} class={`btn${quiet?.(o) ? "" : " go"}`} title={helpOf(o)} onClick={() => void act(o)}>
            {orderWords(o)}
          </button>
        ) : o.numbers ? (
          <NumberOrder key={o.head} family={o} act={act} />
        ) : (
          <ListOrder key={o.head} family={o} act={act} />
        ),
      )}
    </>
  );
}
