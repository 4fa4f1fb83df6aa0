// One's own set-ups: kept under a name, laid again in another game.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post } from "../net";
import { giveAll } from "../table/acting";
import { announce, live, show, welcome } from "../table/state";
import type { Setups } from "../wire";
import { Sure } from "../words/pieces";
import { asking } from "./state";

const own = signal<Setups | null>(null);
const at = (): string => `/api/matches/${welcome.value?.match}/setups`;

async function load(): Promise<void> {
  own.value = await get<Setups>(at()).catch(() => null);
}

/** Place every counter as it stood, as far as the rules still allow it; each can be taken back. */
async function lay(orders: string[]): Promise<void> {
  asking.value = true;
  const rest = [...orders];
  let missed = 0;
  await giveAll(() => {
    for (let order = rest.shift(); order; order = rest.shift()) {
      const [verb, unit] = order.split(" ");
      if (live.value?.offers.units[unit!]?.includes(verb!)) return order;
      missed++;
    }
    return undefined;
  }, orders.length);
  missed += rest.length;
  asking.value = false;
  announce(`${orders.length - missed} counters placed`);
  if (missed) show(`${missed} of ${orders.length} could not be placed as they stood`);
}

const keep = async (name: string): Promise<void> => {
  try {
    const made = await post<{ placed: number }>(at(), { name });
    announce(`Set-up ${name} kept, ${made.placed} counters`);
    await load();
  } catch (e) {
    show((e as Error).message);
  }
};

const drop = async (name: string): Promise<void> => {
  await post(`${at()}/drop`, { name }).catch((e: Error) => show(e.message));
  await load();
};

/** Own set-ups: to be laid while counters are placed, to be kept at any time. */
export function OwnSetups({ placing }: { placing: boolean }) {
  const version = live.value?.version;
  useEffect(() => void load(), [version]);
  const s = own.value;
  if (!s || s.side !== live.value?.audience) return null;
  const names = Object.entries(s.kept);
  if (!names.length && !s.placed) return null;
  return (
    <section class="setups" aria-label="Your set-ups">
      {names.map(([name, orders]) => (
        <p key={name}>
          {placing ? (
            <button type="button" class="btn" aria-busy={asking.value} data-lay={name} onClick={() => void lay(orders)}>
              Lay “{name}”
            </button>
          ) : (
            <b>{name}</b>
          )}
          <small class="mute">{orders.length} counters</small>
          <Sure label="✕" quiet={`Forget the set-up ${name}`} question="Forget it?" yes="Yes" act={() => drop(name)} />
        </p>
      ))}
      {s.placed > 0 && (
        <form
          class="say"
          onSubmit={(e) => {
            e.preventDefault();
            const form = e.currentTarget;
            void keep(String(new FormData(form).get("name"))).then(() => form.reset());
          }}
        >
          <input name="name" required maxLength={40} aria-label="Name of this set-up" placeholder="Name of this set-up" autocomplete="off" />
          <button type="submit" class="btn">
            Keep {s.placed} counters
          </button>
        </form>
      )}
    </section>
  );
}
