// The front page: choose a game, a side and an opponent; go on with what is running.
import { computed, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Brand, shortTitle } from "./bar";
import { get, post, send } from "./net";
import { ChartView, RulesList, SettingsForm, Sheet } from "./sheets";
import { caseShown, palette, rules, sheet, sideName } from "./state";
import type { About, Rules, Summary } from "./types";
import { ago, phaseWords, SideMark, verdict } from "./words";

const games = signal<About[]>([]);
const levels = signal<Record<string, string>>({});
const local = signal(false);
const mine = signal<Summary[]>([]);
const chosen = signal("");
const scenario = signal("");
const side = signal("");
const against = signal("staff");
const options = signal<Record<string, boolean | number | string>>({});
const problem = signal("");
/** What was wrong with a file somebody wanted to open. */
const unread = signal("");
const busy = signal(false);
const all = signal(false);
const editing = signal(false);
const corrections = signal<Record<string, string[]>>({});
/** The map to play on: "" as it comes, a name of kept corrections, or * for those brought along from the editor. */
const mapWish = signal("");
const mapChanges = signal<string[]>([]);
const me = signal("");

const game = computed(() => games.value.find((g) => g.id === chosen.value));

async function load(): Promise<void> {
  const [list, own] = await Promise.all([
    get<{ games: About[]; levels: Record<string, string>; local: boolean; editor: boolean; corrections: Record<string, string[]> }>("/api/games"),
    get<{ matches: Summary[]; name: string }>("/api/matches"),
  ]);
  const year = (g: About): string => shortTitle(g.title, g.id).year || "1980";
  games.value = [...list.games].sort((a, b) => year(a).localeCompare(year(b)));
  levels.value = list.levels;
  local.value = list.local;
  editing.value = list.editor;
  corrections.value = list.corrections;
  mine.value = own.matches;
  me.value = own.name;
  const wish = location.hash.slice(1);
  pick(list.games.some((g) => g.id === wish) ? wish : (games.value[0]?.id ?? ""));
  const wanted = new URLSearchParams(location.search).get("map");
  if (wanted && choices().includes(wanted)) void pickMap(wanted);
  if (!(against.value in list.levels)) against.value = Object.keys(list.levels).at(-1) ?? "random";
}

function pick(id: string): void {
  chosen.value = id;
  const g = games.value.find((x) => x.id === id);
  scenario.value = Object.keys(g?.scenarios ?? {})[0] ?? "";
  side.value = g?.sides[0] ?? "";
  options.value = {};
  mapWish.value = "";
  mapChanges.value = [];
}

const brought = (): string | null => sessionStorage.getItem(`corrections ${chosen.value}`);
const choices = (): string[] => [...(corrections.value[chosen.value] ?? []), ...(brought() ? ["*"] : [])];

/** Choose corrections to play with, and say what they change. */
async function pickMap(name: string): Promise<void> {
  mapWish.value = name;
  mapChanges.value = [];
  problem.value = "";
  if (!name) return;
  const base = `/api/editor/${chosen.value}`;
  try {
    const told = name === "*" ? await post<{ changes: string[] }>(`${base}/check`, { map: JSON.parse(brought() ?? "{}") }) : await get<{ changes: string[] }>(`${base}/kept/${name}`);
    if (mapWish.value === name) mapChanges.value = told.changes;
  } catch (e) {
    problem.value = (e as Error).message;
  }
}

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

/** A card is touched; where the panel lies below the cards, go there. */
function choose(id: string): void {
  pick(id);
  if (matchMedia("(max-width: 1000px)").matches) document.querySelector(".panel")?.scrollIntoView({ block: "start" });
}

async function begin(kind = "match"): Promise<void> {
  const g = game.value;
  if (!g || busy.value) return;
  busy.value = true;
  problem.value = "";
  try {
    const hot = side.value === "both";
    const seats = Object.fromEntries(g.sides.map((s) => [s, hot || s === side.value ? "me" : kind === "guide" ? "greedy" : against.value === "person" ? "open" : against.value]));
    const made = await post<{ id: string; invites: Record<string, string> }>("/api/matches", {
      game: g.id,
      scenario: scenario.value,
      options: options.value,
      seats,
      kind,
      ...(mapWish.value === "*" ? { map: JSON.parse(brought() ?? "{}") } : { corrections: mapWish.value }),
    });
    const link = Object.values(made.invites)[0];
    if (link) sessionStorage.setItem(`invite ${made.id}`, link);
    location.href = `/g/${made.id}`;
  } catch (e) {
    problem.value = (e as Error).message;
    busy.value = false;
  }
}

async function open(file: File | undefined): Promise<void> {
  if (!file) return;
  unread.value = "";
  try {
    const made = await post<{ id: string }>("/api/open", { text: await file.text() });
    location.href = `/g/${made.id}`;
  } catch (e) {
    unread.value = `${file.name} cannot be opened: ${(e as Error).message}`;
    scrollTo(0, 0);
  }
}

const drawings = new Map<string, Promise<string>>();

/** A detail of a game's map; in a root of its own, because every map uses the same names inside. */
function Picture({ id }: { id: string }) {
  const box = useRef<HTMLDivElement>(null);
  const url = `/api/games/${id}/card/${palette.value}.svg`;
  useEffect(() => {
    let dropped = false;
    if (!drawings.has(url)) drawings.set(url, fetch(url).then((r) => r.text()));
    void drawings.get(url)!.then((drawing) => {
      if (!box.current || dropped) return;
      const root = box.current.shadowRoot ?? box.current.attachShadow({ mode: "open" });
      root.innerHTML = `<style>svg{display:block;width:100%;height:100%}</style>${drawing}`;
    });
    return () => {
      dropped = true;
    };
  }, [url]);
  return <div class="picture" ref={box} aria-hidden="true" />;
}

const gameName = (m: Summary): string => {
  const t = shortTitle(m.title, m.game);
  return t.year ? `${t.name}, ${t.year}` : t.name;
};

const opponents = (m: Summary): string => {
  const others = m.seats.filter((s) => !m.you.includes(s.side)).map((s) => s.player || s.name || (s.taken ? "a player" : "nobody yet"));
  return others.length ? `against ${others.join(", ")}` : m.kind === "study" ? "study board" : "hot seat";
};

/** Whether nobody else sits there, so that it may be thrown away. */
const own = (m: Summary): boolean => m.seats.every((s) => m.you.includes(s.side) || s.player || !s.taken);

/** A match in one line, to go on with, to replay, or to be rid of. */
function Slip({ m, side, words, act, teal }: { m: Summary; side: string; words: string; act: string; teal?: boolean }) {
  const forget = async (): Promise<void> => {
    if (!confirm(`Throw this game away for good?\n${gameName(m)}: ${words}`)) return;
    try {
      await send("DELETE", `/api/matches/${m.id}`);
      mine.value = mine.value.filter((other) => other.id !== m.id);
    } catch (e) {
      unread.value = (e as Error).message;
    }
  };
  return (
    <div class="slipcard">
      <SideMark side={side} />
      <a href={`/g/${m.id}`}>
        <b>{gameName(m)}</b>
        <small>
          {words} · {ago(m.begun)}
        </small>
      </a>
      <a class={`btn ${teal ? "teal" : ""}`} href={`/g/${m.id}`} tabIndex={-1} aria-hidden="true">
        {act}
      </a>
      {own(m) && (
        <button type="button" class="quiet drop" aria-label={`Throw away ${gameName(m)}, ${words}`} title="Throw away" onClick={() => void forget()}>
          ✕
        </button>
      )}
    </div>
  );
}

function Running() {
  const first = (m: Summary): number => (m.to_move && m.you.includes(m.to_move) && m.kind !== "study" ? 0 : 1);
  const running = mine.value.filter((m) => !m.over).sort((a, b) => first(a) - first(b));
  const going = running.slice(0, all.value ? 60 : 6);
  const done = mine.value.filter((m) => m.over).slice(0, 12);
  return (
    <>
      {going.length > 0 && (
        <section class="resume" aria-label="Running games">
          {going.map((m) => {
            const yours = !!m.to_move && m.you.includes(m.to_move);
            const bare = phaseWords(m.phase, m.to_move ?? "");
            const phase = yours && m.you.length === 1 ? (bare === m.phase ? `your move in ${bare}` : `your ${bare}`) : m.phase;
            return <Slip key={m.id} m={m} side={m.to_move ?? ""} words={`Turn ${m.turn}, ${phase}, ${opponents(m)}`} act={yours ? "Continue" : "Watch"} teal={yours} />;
          })}
          {running.length > going.length && (
            <button type="button" class="quiet" onClick={() => (all.value = true)}>
              {running.length - going.length} more running games
            </button>
          )}
        </section>
      )}
      {done.length > 0 && (
        <details class="ended">
          <summary>
            {done.length} finished {done.length === 1 ? "game" : "games"} to replay
          </summary>
          {done.map((m) => (
            <Slip key={m.id} m={m} side={m.outcome?.winner ?? ""} words={`${m.outcome ? `${verdict(m.outcome)} · ` : ""}${m.events} events`} act="Replay" />
          ))}
        </details>
      )}
    </>
  );
}

function Cards() {
  return (
    <div class="games" role="radiogroup" aria-label="Games">
      {games.value.map((g) => {
        const t = shortTitle(g.title, g.id);
        const first = Object.values(g.scenarios)[0];
        const km = g.km;
        return (
          <button type="button" key={g.id} class={`game${chosen.value === g.id ? " on" : ""}`} role="radio" aria-checked={chosen.value === g.id} onClick={() => choose(g.id)}>
            <Picture id={g.id} />
            <span class="words">
              <span class="name">
                {t.name} <i>{t.year}</i>
              </span>
              <span class="text">{first?.text || t.rest}</span>
              <span class="meta">
                <span>{first?.turns ?? g.turns} turns</span>
                {km ? <span>{km < 1 ? `${Math.round(km * 1000)} m` : `${km} km`} a hex</span> : null}
                {Object.keys(g.scenarios).length > 1 && <span>{Object.keys(g.scenarios).length} scenarios</span>}
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** The case an option comes from, to be read beside this page. */
function OptionCase({ of }: { of: string }) {
  return (
    <a class="case" href={`/rules/${chosen.value}#${of}`} target="_blank" rel="noreferrer" title={`Case ${of}`}>
      {of}
    </a>
  );
}

const LEVEL_NAMES: Record<string, string> = { random: "Random", greedy: "Greedy", staff: "Staff", general: "General" };

function Panel() {
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
                  <b>{LEVEL_NAMES[id] ?? (id === "person" ? "A person" : id)}</b>
                  <small>{text}</small>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {hot && <p class="note">Two people at one screen, or you against yourself. What is secret is hidden behind a curtain at each change of side; who can read the disk can read it all.</p>}
      {Object.keys(g.options).length > 0 && (
        <fieldset>
          <legend class="h">Options</legend>
          {Object.entries(g.options).map(([id, o]) => {
            const value = options.value[id] ?? o.default;
            const set = (v: boolean | number | string): void => {
              options.value = { ...options.value, [id]: v };
            };
            return typeof o.default === "boolean" ? (
              <label key={id} class="check" title={o.text}>
                <input type="checkbox" checked={value as boolean} onChange={(e) => set(e.currentTarget.checked)} />
                <span>
                  {o.title} <OptionCase of={o.case} />
                </span>
              </label>
            ) : (
              <label key={id} class="check" title={o.text}>
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
          })}
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
        <button type="button" class="quiet" onClick={() => void begin("guide")}>
          First time? Play turn 1 with a guide
        </button>
      )}
      <a class="quiet" href={`/rules/${g.id}`}>
        Rules of this game, in our words
      </a>
    </form>
  );
}

export function Home() {
  useEffect(() => {
    void load();
  }, []);
  return (
    <div class="home">
      <header class="hometop">
        <Brand />
        <nav>
          <label class="quiet file">
            Open a record or position
            <input
              type="file"
              class="sr"
              accept=".txt,.yaml,.yml,.json,.ladoga"
              onChange={(e) => {
                void open(e.currentTarget.files?.[0]);
                e.currentTarget.value = "";
              }}
            />
          </label>
          <button type="button" class="quiet" onClick={() => (sheet.value = "settings")}>
            Settings
          </button>
        </nav>
      </header>
      <main>
        <div>
          <h1>Six campaigns, one table</h1>
          <p class="lead">Every rule enforced, every shift named by its case, an opponent at any hour.</p>
          {unread.value && (
            <p class="bad notice" role="alert">
              {unread.value}
            </p>
          )}
          <Running />
          <Cards />
        </div>
        <Panel />
      </main>
      {sheet.value === "settings" && (
        <Sheet title="Settings">
          <SettingsForm />
          <label>
            Your name at the table{" "}
            <input value={me.value} maxLength={40} onChange={(e) => void post("/api/name", { name: (me.value = e.currentTarget.value) })} />
          </label>
        </Sheet>
      )}
    </div>
  );
}

/** A page with nothing but a text on it. */
function Single({ kind = "", children }: { kind?: string; children: ComponentChildren }) {
  return (
    <div class={`home ${kind}`}>
      <header class="hometop">
        <Brand />
      </header>
      <main class="single">
        <div>{children}</div>
      </main>
    </div>
  );
}

/** An address that leads nowhere. */
export function Nowhere({ why = "There is no such page." }: { why?: string }) {
  return (
    <Single>
      <h1>Not here</h1>
      <p class="lead">{why}</p>
      <a class="btn teal" href="/">
        Front page
      </a>
    </Single>
  );
}

export function RulesPage({ game: id }: { game: string }) {
  useEffect(() => {
    const goThere = (): void => {
      caseShown.value = location.hash.slice(1);
    };
    goThere();
    addEventListener("hashchange", goThere);
    get<Rules>(`/api/games/${id}/rules`).then(
      (r) => {
        rules.value = r;
        document.title = `${r.title}: rules · Ladoga`;
      },
      (e: Error) => {
        problem.value = e.message;
      },
    );
    return () => removeEventListener("hashchange", goThere);
  }, [id]);
  const book = rules.value;
  if (problem.value) return <Nowhere why={problem.value} />;
  return (
    <Single kind="rulespage">
      <h1>{book?.title ?? ""}</h1>
      <p class="lead">Every case of the rulebook in our own words, and the charts. The printed rulebook is the authority.</p>
      {book && (
        <>
          {book.charts.map((c) => (
            <ChartView key={c.id} chart={c} />
          ))}
          <RulesList book={book} open={caseShown.value} />
        </>
      )}
    </Single>
  );
}
