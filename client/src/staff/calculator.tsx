// What do I need? A sheet for reckoning: any counters against any hex.
import { useEffect } from "preact/hooks";
import { looked } from "../selection/state";
import { counters, stacks } from "../table/state";
import { named } from "../words/orders";
import { CaseLink, Chip } from "../words/pieces";
import { percent, signed } from "../words/text";
import { dragged } from "./drag";
import { add, against, closeSheet, drop, empty, fly, held, reckoned, setUpSheet, sheet, storm, what, wish } from "./state";

const figure = (n: number): string => (Number.isInteger(n) ? String(n) : n.toFixed(1));

export function Calculator() {
  const s = sheet.value;
  const r = reckoned.value;
  useEffect(() => {
    if (looked.value) against(looked.value);
  }, [looked.value]);
  if (!s) return null;
  const foes = (stacks.value.get(s.hex) ?? []).filter((c) => c.side);
  const used = s.units.flatMap((u) => counters.value.get(u) ?? []);
  return (
    <section class="calculator" aria-label="Combat calculator">
      <header>
        <h2>What do I need{r?.columns.length ? " for" : ""}</h2>
        <div class="seg" role="group" aria-label="Wanted column">
          {r?.columns.slice(-5).map((c) => (
            <button type="button" key={c} class={c === s.want ? "on" : ""} aria-pressed={c === s.want} onClick={() => wish(c === s.want ? "" : c)}>
              {c}
            </button>
          ))}
        </div>
      </header>
      <p class="note">A sheet for reckoning. Nothing here is ordered. Drag counters in, or choose them and press W; click an enemy hex to change the target.</p>
      {r?.overruns && (
        <div class="seg" role="group" aria-label="Kind of fight">
          {[false, true].map((o) => (
            <button type="button" key={String(o)} class={s.overrun === o ? "on" : ""} aria-pressed={s.overrun === o} onClick={() => storm(o)}>
              {o ? "Overrun" : "Attack"}
            </button>
          ))}
        </div>
      )}
      <h3 class="h">Against</h3>
      {s.hex ? (
        <div class="against">
          {foes.slice(0, 4).map((c) => (
            <Chip key={c.id} c={c} size={42} />
          ))}
          <span>
            <b>{s.hex}</b>
            <small>{r?.defence ? `defence ${r.defence}` : named(foes.map((c) => c.id))}</small>
          </span>
        </div>
      ) : (
        <p class="note">Click a hex with an enemy in it.</p>
      )}
      <h3 class="h">
        Attackers <b>{r && used.length ? figure(r.strength) : ""}</b>
      </h3>
      <div class={`tray${dragged.value?.over ? " over" : ""}`} data-tray="yes">
        {used.map((c) => (
          <button type="button" key={c.id} title={`Take ${c.called ?? c.id} off the sheet`} aria-label={`Take ${c.called ?? c.id} off the sheet`} onClick={() => drop(c.id)}>
            <Chip c={c} size={42} quiet />
          </button>
        ))}
        {dragged.value ? (
          <span class="note serif">{dragged.value.over ? `Let go to count ${named(dragged.value.units)}` : "Drag it here"}</span>
        ) : (
          !used.length && <span class="note">Drag a counter here, or choose it and press W.</span>
        )}
      </div>
      {!!r && r.most_air > 0 && (
        <div class="seg" role="group" aria-label="Air support">
          {Array.from({ length: r.most_air + 1 }, (_, n) => (
            <button type="button" key={n} class={s.air === n ? "on" : ""} aria-pressed={s.air === n} onClick={() => fly(n)}>
              {n ? `${n} air unit${n > 1 ? "s" : ""}` : "No air support"}
            </button>
          ))}
        </div>
      )}
      {r?.refused && used.length > 0 && (
        <p class="bad">
          {r.refused.replace(/ \[[^\]]*\]$/, "")} <CaseLink number={r.case} />
        </p>
      )}
      {r && r.modifiers.length > 0 && (
        <p class="note">
          {r.modifiers
            .filter((m) => m.counts)
            .map((m) => `${m.label} ${signed(m.amount)}`)
            .join(" · ")}
        </p>
      )}
      {r && r.ladder.length > 0 && (
        <table class="ladder">
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col">strength</th>
              <th scope="col">hex falls</th>
              <th scope="col">no loss</th>
            </tr>
          </thead>
          <tbody>
            {r.ladder.map((rung) => (
              <tr key={rung.column} class={`${rung.column === r.column ? "here" : ""}${rung.column === s.want ? " want" : ""}`}>
                <th scope="row">{rung.column}</th>
                <td>
                  {figure(rung.strength)}
                  {rung.column === r.column ? `, you have ${figure(r.strength)}` : rung.strength > r.strength ? `, now ${figure(rung.strength - r.strength)} short` : ""}
                </td>
                <td>{percent(rung.falls)} %</td>
                <td>{percent(rung.unhurt)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {s.want && r && (
        <>
          <h3 class="h">Ways to {s.want}</h3>
          <ul class="ways">
            {r.ways.map((way) => (
              <li key={way.units.join()}>
                {way.units.length > 0 && <Chip c={counters.value.get(way.units[0]!)!} size={38} quiet />}
                <span>
                  <b>{way.air ? `${way.air} air unit${way.air > 1 ? "s" : ""}` : named(way.units)}</b>
                  <small>
                    {figure(way.strength)} in all: falls {percent(way.falls)} %
                  </small>
                </span>
                <button type="button" class="btn go" onClick={() => (way.air ? fly(s.air + way.air) : add(way.units))}>
                  Add
                </button>
              </li>
            ))}
            {!r.ways.length && <li class="note">{r.column === s.want ? "You are there." : "Nobody near by brings it to that column."}</li>}
          </ul>
        </>
      )}
      <div class="acts wrap">
        <button type="button" class={`btn go${held.value ? " held" : ""}`} aria-disabled={!!held.value} onClick={() => void setUpSheet()}>
          <span>
            Set up this attack
            {held.value && <small>{held.value}</small>}
          </span>
        </button>
        <button type="button" class="btn" onClick={empty}>
          Clear
        </button>
        <button type="button" class="btn" onClick={closeSheet}>
          Close
        </button>
        {!used.length && (
          <button type="button" class="btn" onClick={() => what()}>
            Add the chosen <kbd>W</kbd>
          </button>
        )}
      </div>
    </section>
  );
}
