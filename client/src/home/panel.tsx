// The chosen game: side, opponent, options.

import { sideName } from "../table/state";
import type { Option } from "../wire";
import { SideMark } from "../words/pieces";
import { shortTitle } from "../words/text";
import { advised, against, anybody, begin, busy, choices, chosen, clock, editing, game, levels, mapChanges, mapWish, options, pickMap, problem, scenario, side } from "./choice";

function MapChoice() {
  if (!editing.value) return null;
  const names = choices();
  return (
    <fieldset>
      <legend class="h">Map</legend>
      {names.length > 0 && (
        <select aria-label="Map" value={mapWish.value} onChange={(e) => void pickMap(e.currentTarget.value)}>
          <option value="">As it comes</option>
          {names.map((n) => (
            <option key={n} value={n}>
              {n === "*" ? "With the corrections just made" : `With your corrections: ${n}`}
            </option>
          ))}
        </select>
      )}
      {mapChanges.value.length > 0 && (
        <details class="diff">
          <summary>
            {mapChanges.value.length} {mapChanges.value.length === 1 ? "correction" : "corrections"}
          </summary>
          <ul>
            {mapChanges.value.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
      <a class="quiet" href={`/edit/${chosen.value}${mapWish.value && mapWish.value !== "*" ? `?map=${mapWish.value}` : ""}`}>
        Correct a map: if you own the printed game and ours differs
      </a>
    </fieldset>
  );
}

/** How strong a level has proved to be in the chosen game. */
function Rated({ rating: [middle, within] }: { rating: [number, number] }) {
  const words = within ? `Rated ${middle}, give or take ${within}, by games against the other levels; Staff is 1000 in every game` : "The other levels are rated by this one";
  return (
    <span class="rated" title={words}>
      <span class="sr">{words}</span>
      <span aria-hidden="true">{within ? `${middle} ± ${within}` : middle}</span>
    </span>
  );
}

/** What ratings do not show of a level that is meant to be stronger than the staff. */
function doubt(level: string, ratings: Record<string, [number, number]>): string {
  const [own, staff] = [ratings[level], ratings.staff];
  if (!staff || level === "staff" || level === "recruit" || level === "person") return "";
  if (!own) return "; how strong is not measured in this game";
  return own[0] - own[1] > staff[0] ? "" : "; not shown to be stronger than Staff in this game";
}

/** The case an option comes from, to be read beside this page. */
function OptionCase({ of }: { of: string }) {
  return (
    <a class="case" href={`/rules/${chosen.value}#${of}`} target="_blank" rel="noreferrer" title={`Case ${of}`}>
      {of}
    </a>
  );
}

/** One option of a game: ticked, or chosen from a list. */
function Choice({ id, o }: { id: string; o: Option }) {
  const value = options.value[id] ?? o.default;
  const set = (v: boolean | number | string): void => {
    options.value = { ...options.value, [id]: v };
  };
  return typeof o.default === "boolean" ? (
    <label class="check" title={o.text}>
      <input type="checkbox" checked={value as boolean} onChange={(e) => set(e.currentTarget.checked)} />
      <span>
        {o.title} <OptionCase of={o.case} />
      </span>
    </label>
  ) : (
    <label class="check" title={o.text}>
      <span>
        {o.title} <OptionCase of={o.case} />
      </span>
      <select value={String(value)} onChange={(e) => set(o.choices.find((c) => String(c) === e.currentTarget.value) ?? o.default)}>
        {o.choices.map((c) => (
          <option key={String(c)} value={String(c)}>
            {String(c)}
          </option>
        ))}
      </select>
    </label>
  );
}

const FIRST = 2;

const LEVEL_NAMES: Record<string, string> = { recruit: "Recruit", staff: "Staff", officer: "Officer", general: "General" };

export function Panel() {
  const g = game.value;
  if (!g) return null;
  const t = shortTitle(g.title, g.id);
  const many = Object.entries(g.scenarios);
  const hot = side.value === "both";
  return (
    <form
      class="panel"
      aria-label={`Start ${t.name}`}
      onSubmit={(e) => {
        e.preventDefault();
        void begin();
      }}
    >
      <h2>
        {t.name}
        {t.year && `, ${t.year}`}
      </h2>
      <p class="sub">{t.rest || g.scenarios[scenario.value]?.title}</p>
      {many.length > 1 && (
        <fieldset>
          <legend class="h">Scenario</legend>
          <select aria-label="Scenario" value={scenario.value} onChange={(e) => (scenario.value = e.currentTarget.value)}>
            {many.map(([id, s]) => (
              <option key={id} value={id}>
                {s.title}
              </option>
            ))}
          </select>
          <p class="note">{g.scenarios[scenario.value]?.text}</p>
        </fieldset>
      )}
      <fieldset>
        <legend class="h">You play</legend>
        <div class="seg">
          {[...g.sides, "both"].map((s) => (
            <label key={s} class={side.value === s ? "on" : ""}>
              <input type="radio" name="side" class="sr" checked={side.value === s} onChange={() => (side.value = s)} />
              {s !== "both" && <SideMark side={s} />}
              {s === "both" ? "Both" : sideName(s)}
            </label>
          ))}
        </div>
      </fieldset>
      {!hot && (
        <fieldset>
          <legend class="h">Against</legend>
          <div class="levels">
            {[...Object.entries(levels.value), ["person", "send a link; no account is needed"] as [string, string]].map(([id, text]) => (
              <label key={id} class={against.value === id ? "on" : ""}>
                <input type="radio" name="against" checked={against.value === id} onChange={() => (against.value = id)} />
                <span>
                  <b>
                    {LEVEL_NAMES[id] ?? (id === "person" ? "A person" : id)}
                    {g.ratings[id] && <Rated rating={g.ratings[id]} />}
                  </b>
                  <small>
                    {text}
                    {doubt(id, g.ratings)}
                  </small>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {!hot && against.value === "person" && (
        <fieldset>
          <legend class="h">Between people</legend>
          <label class="check">
            <span>Time</span>
            <select value={clock.value} onChange={(e) => (clock.value = e.currentTarget.value)}>
              <option value="">no clock</option>
              <option value="minutes 60">60 minutes each</option>
              <option value="minutes 120">120 minutes each</option>
              <option value="days 1">a day a turn</option>
              <option value="days 3">3 days a turn</option>
            </select>
          </label>
          <label class="check">
            <input type="checkbox" checked={anybody.value} onChange={(e) => (anybody.value = e.currentTarget.checked)} />
            <span>Anybody may sit down from the front page</span>
          </label>
          <label class="check">
            <input type="checkbox" checked={advised.value} onChange={(e) => (advised.value = e.currentTarget.checked)} />
            <span>Both may ask the staff for advice</span>
          </label>
        </fieldset>
      )}
      {hot && (
        <p class="note">
          Two people at one screen, or you against yourself. What is secret is hidden behind a curtain at each change of side; anyone with access to this computer's files can read
          everything.
        </p>
      )}
      {Object.keys(g.options).length > 0 && (
        <fieldset>
          <legend class="h">Options</legend>
          {Object.entries(g.options)
            .slice(0, FIRST)
            .map(([id, o]) => (
              <Choice key={id} id={id} o={o} />
            ))}
          {Object.keys(g.options).length > FIRST && (
            <details class="diff">
              <summary>
                {Object.keys(g.options).length - FIRST} more {Object.keys(g.options).length === FIRST + 1 ? "option" : "options"}, as printed
              </summary>
              {Object.entries(g.options)
                .slice(FIRST)
                .map(([id, o]) => (
                  <Choice key={id} id={id} o={o} />
                ))}
            </details>
          )}
          {Object.values(g.options).some((o) => o.text) && (
            <details class="diff">
              <summary>What they mean</summary>
              {Object.values(g.options).map(
                (o) =>
                  o.text && (
                    <p key={o.title} class="note">
                      <b>{o.title}.</b> {o.text}
                    </p>
                  ),
              )}
            </details>
          )}
        </fieldset>
      )}
      <MapChoice />
      {g.changes.length > 0 && !mapWish.value && <p class="note">{g.changes.length} corrections of yours are laid over this game.</p>}
      <button type="submit" class="btn commit begin" disabled={busy.value}>
        Begin{g.calendar[0] ? `, ${g.calendar[0]}` : ""}
      </button>
      {problem.value && (
        <p class="bad" role="alert">
          {problem.value}
        </p>
      )}
      {g.guide && (
        <p class="first">
          <button type="button" class="quiet" onClick={() => void begin("lesson")}>
            First time? Learn it in ten minutes at a small position
          </button>
          <button type="button" class="quiet" onClick={() => void begin("guide")}>
            The whole game with a guide
          </button>
        </p>
      )}
      <a class="quiet" href={`/rules/${g.id}`}>
        Rules of this game, in our words
      </a>
    </form>
  );
}
