// The chosen stack, what it may do, and units off the map.

import { takeUp } from "../staff/drag";
import { give } from "../table/acting";
import { counters, live, log, sideName, stacks, yours } from "../table/state";
import type { Counter } from "../wire";
import { nameOf, roleOf } from "../words/orders";
import { CaseLink, Chip, Linked } from "../words/pieces";
import { formed, landWords, plain, unitName } from "../words/text";
import { Orders } from "./orders";
import { choices, choose, clear, facts, known, looked, pick, selected, standing, take, tracked } from "./state";
import "./selection.css";

const joins = (verbs: string[]): boolean => verbs.length === 1 && roleOf(verbs[0]!) === "join";

function Unit({ c, several }: { c: Counter; several: boolean }) {
  const can = yours.value ? live.value?.offers.units[c.id] : undefined;
  const on = selected.value.includes(c.id);
  const trace = known.value.get(c.hex ?? "")?.supply[c.id];
  const flip = (): void => {
    if (!can) return;
    if (joins(can)) void give(`${can[0]} ${c.id}`);
    else void choose(on ? selected.value.filter((u) => u !== c.id) : [...selected.value.filter((u) => counters.value.get(u)?.hex === c.hex), c.id]);
  };
  return (
    <li class={on ? "on" : ""} data-row={c.id} onPointerDown={(e) => void takeUp(e, [c.id])}>
      <button type="button" onClick={flip} disabled={!can} aria-pressed={can ? on : undefined}>
        <Chip c={c} size={46} quiet />
        <span>
          <b>{unitName(c)}</b>
          <small>
            {[c.figures, formed(c.formation ?? ""), c.full_steps && c.full_steps > 1 ? `${c.steps ?? 1} of ${c.full_steps} steps` : "", ...(c.states ?? [])]
              .filter(Boolean)
              .join(" · ")}
          </small>
          {c.reverse && <small class="mute">reverse {c.reverse}</small>}
          {trace && !trace.supplied && <small class="bad">out of supply{trace.message ? `: ${trace.message}` : ""}</small>}
        </span>
      </button>
      {can && !joins(can) && several && !(on && selected.value.length === 1) && (
        <button type="button" class="quiet only" aria-label={`Only ${unitName(c)}`} onClick={() => void choose([c.id])}>
          only
        </button>
      )}
      {trace && !trace.supplied && <CaseLink number={trace.case} />}
    </li>
  );
}

export function Stack() {
  const first = counters.value.get(selected.value[0] ?? "");
  const hex = first ? first.hex : looked.value;
  const units = hex ? (stacks.value.get(hex) ?? []) : selected.value.flatMap((u) => counters.value.get(u) ?? []);
  const f = (hex && known.value.get(hex)) || null;
  if (!hex && !units.length) return null;
  const land = f ?? (facts.value?.hex === hex ? facts.value : null);
  const orders = standing.value;
  const able = units.filter((c) => live.value?.offers.units[c.id]);
  const one = selected.value.length === 1 ? first : units.at(-1);
  return (
    <section class="stack" aria-label="Stack">
      <header>
        <h2>{land?.name || hex || "Off the map"}</h2>
        <span class="mute">
          {[hex && land?.name ? hex : "", land ? landWords(land) : "", f?.zones.length ? `${f.zones.map(sideName).join(" and ")} zone${f.zones.length > 1 ? "s" : ""}` : ""]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </header>
      {units.length > 0 && (
        <ul class="units">
          {[...units].reverse().map((c) => (
            <Unit key={c.id} c={c} several={able.length > 1} />
          ))}
        </ul>
      )}
      {yours.value && able.length > 1 && (
        <div class="acts small">
          <button type="button" class="btn" onClick={() => void choose(able.map((c) => c.id))}>
            Whole stack
          </button>
          {[...new Set(able.map((c) => c.formation ?? ""))].map((f) => {
            const of = able.filter((c) => c.formation === f);
            return (
              f &&
              of.length > 1 &&
              of.length < able.length && (
                <button type="button" key={f} class="btn" data-formation={f} onClick={() => void choose(of.map((c) => c.id))}>
                  {formed(f)} ({of.length})
                </button>
              )
            );
          })}
          {selected.value.length > 0 && (
            <button type="button" class="btn" onClick={clear}>
              None <kbd>Esc</kbd>
            </button>
          )}
        </div>
      )}
      {orders.length > 0 && (
        <div class="acts wrap" role="group" aria-label="Orders for the selected units">
          <Orders orders={orders.map((o) => o.text)} act={take} quiet={(o) => !!choices.value?.weighed.includes(o.split(" ")[0]!)} />
        </div>
      )}
      {one && log.value.some((e) => e.moved.some(([id]) => id === one.id)) && (
        <button type="button" class="quiet" aria-pressed={tracked.value === one.id} onClick={() => (tracked.value = tracked.value === one.id ? null : one.id)}>
          {tracked.value === one.id ? "hide its way" : `way of ${nameOf(one.id)} through the game`}
        </button>
      )}
      {f && Object.keys(f.sides).length > 0 && (
        <details class="sides">
          <summary>Hexsides</summary>
          {Object.entries(f.sides).map(([other, kinds]) => (
            <p key={other}>
              to <Linked text={other} />: {kinds.map(plain).join(", ")}
            </p>
          ))}
        </details>
      )}
    </section>
  );
}

/** Units beside the map that may be ordered: reinforcements, pools, air. */
export function Waiting() {
  const s = live.value;
  if (!s || !yours.value) return null;
  const waiting = Object.keys(s.offers.units)
    .map((id) => counters.value.get(id) ?? ({ id, side: s.audience } as Counter))
    .filter((c) => !c.hex);
  if (!waiting.length) return null;
  return (
    <section class="waiting" aria-label="Off-map units, may be ordered">
      <h2 class="h">Off-map units</h2>
      <p class="note">
        {waiting.every((c) => joins(s.offers.units[c.id]!))
          ? "Choose the counters that join."
          : selected.value.length
            ? "Choose a lit hex; J goes to the nearest."
            : "Choose a counter, then a lit hex."}
      </p>
      <div class="chips">
        {waiting.slice(0, 60).map((c) => (
          <button
            type="button"
            key={c.id}
            class={selected.value.includes(c.id) ? "on" : ""}
            title={[unitName(c), c.figures].filter(Boolean).join(", ")}
            onClick={() => void pick([c.id])}
          >
            {counters.value.has(c.id) ? <Chip c={c} size={46} /> : <span class="word">{c.id}</span>}
          </button>
        ))}
      </div>
    </section>
  );
}
