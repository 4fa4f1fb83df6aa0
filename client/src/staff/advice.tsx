// Ask the staff: ranked advice in pencil, never an order.
import { useEffect } from "preact/hooks";
import { moment } from "../fight/moment";
import { centreOn } from "../map/view";
import { focused, selected, weighed } from "../selection/state";
import { live, yours } from "../table/state";
import type { Counsel } from "../wire";
import { percent } from "../words/text";
import { OwnSetups } from "./setups";
import { asking, askStaff, attacks, chosen, forbidden, placeForMe, placing, points, putAway, setUp, sheet, what } from "./state";
import "./staff.css";

const HEADS: Record<string, string> = { danger: "In danger next turn", road: "Supply by one road", cut: "Roads you can cut", reach: "Within reach" };
const SET: Record<string, string> = { go: "Choose these units", strike: "Set up attack", aim: "Set up attack" };

const worth = (c: Counsel): string => `${c.worth > 0 ? "+" : c.worth < 0 ? "−" : ""}${Math.abs(c.worth).toFixed(1)}`;

function show(i: number): void {
  chosen.value = i;
  const hex = points.value?.[i]?.hex;
  if (!hex) return;
  focused.value = hex;
  centreOn(hex, false);
}

function Point({ c, i }: { c: Counsel; i: number }) {
  const fight = c.kind === "attack" || c.kind === "leave";
  const number = c.kind === "attack" ? attacks.value.indexOf(c) + 1 : 0;
  return (
    <li class={`counsel ${c.kind}${i === chosen.value ? " on" : ""}`} data-counsel={c.kind}>
      <button type="button" aria-pressed={i === chosen.value} onClick={() => show(i)}>
        <i class="no" aria-hidden="true">
          {number || (fight ? "–" : "·")}
        </i>
        <span>
          <b>{c.title}</b>
          <small>
            {[
              c.text,
              fight
                ? `${c.column} · falls ${percent(c.falls)}\u00a0%${c.depends > 0 ? ` · its owner chooses ${percent(c.depends)}\u00a0%` : ""} · no loss ${percent(c.unhurt)}\u00a0%`
                : "",
            ]
              .filter(Boolean)
              .join(": ")}
          </small>
          {fight && (
            <i class="three" aria-hidden="true">
              <i class="t0" style={{ width: `${100 * c.falls}%` }} />
              <i class="t2" style={{ width: `${100 * c.depends}%` }} />
              <i class="t5" style={{ width: `${100 * Math.max(0, 1 - c.falls - c.depends)}%` }} />
            </i>
          )}
        </span>
        {fight && (
          <em>
            {worth(c)}
            <small>steps</small>
          </em>
        )}
      </button>
    </li>
  );
}

export function Advice() {
  const found = points.value;
  useEffect(() => {
    if (found) show(0);
  }, [found]);
  if (!yours.value || moment.value) return null;
  if (!found) {
    if (selected.value.length || weighed.value || sheet.value) return null;
    return (
      <>
        <div class="acts small asks wrap">
          {placing.value && (
            <button type="button" class="btn go" aria-busy={asking.value} onClick={() => void placeForMe()}>
              Place for me
            </button>
          )}
          <button type="button" class="btn" aria-disabled={forbidden()} onClick={() => void askStaff()}>
            {forbidden() ? "No advice in this game" : asking.value ? "The staff is thinking" : "Ask the staff"} {!forbidden() && <kbd>A</kbd>}
          </button>
          <button type="button" class="btn" onClick={() => what()}>
            What do I need <kbd>W</kbd>
          </button>
        </div>
        {placing.value && <OwnSetups placing />}
      </>
    );
  }
  const now = found[chosen.value];
  const verb = now?.orders[0]?.split(" ")[0] ?? "";
  const label = now?.kind === "attack" ? `${SET.aim} ${attacks.value.indexOf(now) + 1}` : verb === "end" || !verb ? "" : now?.kind === "order" ? "Do this" : SET.go;
  const parts: [string, number][] = found.map((c, i) => [HEADS[c.kind] ?? "", i]);
  return (
    <section class="advice" aria-label="Advice of the staff" data-version={live.value?.version}>
      <header>
        <h2>The staff suggests</h2>
        <i class="serif">advice, not orders</i>
      </header>
      {found.length ? (
        <ul>
          {parts.map(([head, i]) => (
            <>
              {head && head !== parts[i - 1]?.[0] && (
                <li class="h" key={head}>
                  {head}
                </li>
              )}
              <Point key={i} c={found[i]!} i={i} />
            </>
          ))}
        </ul>
      ) : (
        <p class="note">Nothing here is worth a word: do as you like.</p>
      )}
      <div class="acts wrap">
        {label && now && (
          <button type="button" class="btn go" onClick={() => void setUp(now)}>
            {label}
          </button>
        )}
        {found.length > 1 && (
          <button type="button" class="btn" onClick={() => show((chosen.value + 1) % found.length)}>
            Next <kbd>A</kbd>
          </button>
        )}
        <button type="button" class="btn" onClick={putAway}>
          Put away
        </button>
      </div>
      <p class="note">The same staff that plays for the computer, seeing only what you see. The die is still yours to throw.</p>
    </section>
  );
}
