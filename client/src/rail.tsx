// Beside the map: what is asked, the selected stack, the odds, the record.
import { signal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { OpenSeat } from "./bar";
import { Odds } from "./odds";
import { Orders } from "./orders";
import {
  ask,
  backToNow,
  bookmarks,
  choices,
  choose,
  clear,
  counters,
  give,
  goTo,
  known,
  live,
  log,
  looked,
  menu,
  missed,
  past,
  pick,
  selected,
  sheet,
  shown,
  sideName,
  stacks,
  standing,
  take,
  undo,
  weighed,
  welcome,
  yours,
} from "./state";
import type { Counter, LogEntry } from "./types";
import { CaseLink, Chip, figureName, landWords, Linked, plain, SideMark, unitName } from "./words";

function Unit({ c }: { c: Counter }) {
  const can = yours.value ? live.value?.offers.units[c.id] : undefined;
  const on = selected.value.includes(c.id);
  const trace = known.value.get(c.hex ?? "")?.supply[c.id];
  const flip = (): void => {
    if (!can) return;
    if (can.join() === "add") void give(`add ${c.id}`);
    else void choose(on ? selected.value.filter((u) => u !== c.id) : [...selected.value.filter((u) => counters.value.get(u)?.hex === c.hex), c.id]);
  };
  return (
    <li class={on ? "on" : ""} data-row={c.id}>
      <button type="button" onClick={flip} disabled={!can} aria-pressed={can ? on : undefined}>
        <Chip c={c} size={46} quiet />
        <span>
          <b>{unitName(c)}</b>
          <small>
            {[c.figures, c.formation, c.full_steps && c.full_steps > 1 ? `${c.steps ?? 1} of ${c.full_steps} steps` : "", ...(c.states ?? [])].filter(Boolean).join(" · ")}
          </small>
          {trace && !trace.supplied && (
            <small class="bad">
              out of supply{trace.message ? `: ${trace.message}` : ""}
            </small>
          )}
        </span>
      </button>
      {trace && !trace.supplied && <CaseLink number={trace.case} />}
    </li>
  );
}

function Stack() {
  const first = counters.value.get(selected.value[0] ?? "");
  const hex = first ? first.hex : looked.value;
  const units = hex ? (stacks.value.get(hex) ?? []) : selected.value.flatMap((u) => counters.value.get(u) ?? []);
  const f = (hex && known.value.get(hex)) || null;
  if (!hex && !units.length) return null;
  const orders = standing.value;
  const able = units.filter((c) => live.value?.offers.units[c.id]);
  return (
    <section class="stack" aria-label="Stack">
      <header>
        <h2>{f?.name || hex || "Beside the map"}</h2>
        <span class="mute">
          {[hex && f?.name ? hex : "", f ? landWords(f) : "", f?.zones.length ? `${f.zones.map(sideName).join(" and ")} ZOC` : ""].filter(Boolean).join(" · ")}
        </span>
      </header>
      {units.length > 0 && (
        <ul class="units">
          {[...units].reverse().map((c) => (
            <Unit key={c.id} c={c} />
          ))}
        </ul>
      )}
      {yours.value && able.length > 1 && (
        <div class="acts small">
          <button type="button" class="btn" onClick={() => void choose(able.map((c) => c.id))}>
            Whole stack
          </button>
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

/** Orders that concern no unit, other than ending the phase. */
function Decisions() {
  const s = live.value;
  if (!s || !yours.value) return null;
  const weighing = weighed.value?.text === "commit";
  const open = (o: string): boolean => o !== "end" && !(o === "commit" && weighed.value) && !(o === "cancel" && weighing && s.undo?.to != null);
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

/** Units beside the map that may be ordered: reinforcements, pools, air. */
function Waiting() {
  const s = live.value;
  if (!s || !yours.value) return null;
  const waiting = Object.keys(s.offers.units)
    .map((id) => counters.value.get(id) ?? ({ id, side: s.audience } as Counter))
    .filter((c) => !c.hex);
  if (!waiting.length) return null;
  return (
    <section class="waiting" aria-label="Beside the map, may be ordered">
      <h3 class="h">Beside the map</h3>
      {!selected.value.length && <p class="note">Choose a counter, then a lit hex.</p>}
      <div class="chips">
        {waiting.slice(0, 60).map((c) => (
          <button type="button" key={c.id} class={selected.value.includes(c.id) ? "on" : ""} title={`${c.id} ${figureName(c)}`} onClick={() => void pick([c.id])}>
            {counters.value.has(c.id) ? <Chip c={c} size={46} /> : <span class="word">{c.id}</span>}
          </button>
        ))}
      </div>
    </section>
  );
}

function Menu() {
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

export function Prompt() {
  const s = shown.value;
  if (!s) return null;
  const whose = s.to_move ? (yours.value ? "You" : sideName(s.to_move)) : "";
  return (
    <p class="prompt" role="status">
      {s.to_move && <SideMark side={s.to_move} />}
      <span>
        {whose && <b>{whose}: </b>}
        {whose === sideName(s.to_move) && s.prompt.startsWith(`${whose} `) ? s.prompt.slice(whose.length + 1) : s.prompt} <CaseLink number={s.phase.case} />
      </span>
    </p>
  );
}

function Lines() {
  const text = shown.value?.table.lines ?? [];
  const warnings = yours.value ? (shown.value?.table.warnings ?? []) : [];
  if (!text.length && !warnings.length) return null;
  return (
    <ul class="facts">
      {warnings.map((w) => (
        <li key={w} class="peril">
          <Linked text={w} />
        </li>
      ))}
      {text.map((l) => (
        <li key={l}>{l}</li>
      ))}
    </ul>
  );
}

function LogItem({ entry, marked, here }: { entry: LogEntry; marked: boolean; here: boolean }) {
  const lines = entry.lines.length ? entry.lines : [{ text: entry.chance ? `${entry.chance}: ${entry.text}` : entry.text, case: "", kind: "" }];
  const floor = live.value?.undo?.floor ?? Infinity;
  const able = yours.value && live.value?.undo?.to !== null && entry.n > floor && entry.n <= (live.value?.n ?? 0) - 1;
  return (
    <li class={`${entry.side}${here ? " here" : ""}${entry.roll ? " rolled" : ""}`}>
      <SideMark side={entry.side} />
      <div>
        {lines.map((l, i) => (
          <p key={i}>
            <Linked text={l.text} /> <CaseLink number={l.case} />
            {able && i === lines.length - 1 && (
              <button type="button" class="quiet back" onClick={() => void undo(entry.n)}>
                undo to here
              </button>
            )}
          </p>
        ))}
      </div>
      <button type="button" class={`jump${marked ? " marked" : ""}`} title={`Show the table after event ${entry.n}${entry.roll ? `, roll ${entry.roll}` : ""}`} onClick={() => void goTo(entry.n)}>
        {marked ? "⚑" : "#"}
        {entry.n}
      </button>
    </li>
  );
}

const WINDOW = 200;
const length = signal(WINDOW);
/** What to look for in the record; nothing is looked for while it is null. */
const sought = signal<string | null>(null);

const intoIt = (field: HTMLInputElement | null): void => field?.focus();

const found = (entry: LogEntry, words: string[]): boolean => {
  const text = [entry.phase, `turn ${entry.turn}`, entry.text, ...entry.lines.map((l) => `${l.text} ${l.case}`)].join(" ").toLowerCase();
  return words.every((w) => text.includes(w));
};

export function Log() {
  const box = useRef<HTMLElement>(null);
  const words = (sought.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const told = log.value.filter((e) => (e.lines.length || e.roll) && found(e, words)).reverse();
  const n = past.value?.n;
  const at = n === undefined ? 0 : told.findIndex((e) => e.n <= n);
  const from = Math.max(0, (at < 0 ? told.length : at) - WINDOW / 2);
  const entries = told.slice(from, from + length.value);
  const marks = new Map(bookmarks.value);
  useEffect(() => {
    const here = box.current?.querySelector(".here");
    if (here) box.current!.scrollTop += here.getBoundingClientRect().top - box.current!.getBoundingClientRect().top - box.current!.clientHeight / 3;
  }, [n]);
  let heading = "";
  return (
    <section class="log" aria-label="Record" tabIndex={0} ref={box}>
      <header>
        <h3 class="h">Record</h3>
        {n === undefined ? (
          <button type="button" class="quiet mute" title="How the dice are thrown, and how to check them (D)" onClick={() => (sheet.value = "dice")}>
            dice committed
          </button>
        ) : (
          <span class="mute">after event {n}</span>
        )}
        <button type="button" class="quiet" aria-expanded={sought.value !== null} onClick={() => (sought.value = sought.value === null ? "" : null)}>
          find
        </button>
        {past.value ? (
          <button type="button" class="quiet" onClick={backToNow}>
            back to now
          </button>
        ) : (
          <button
            type="button"
            class="quiet"
            aria-pressed={marks.has(live.value?.n ?? 0)}
            onClick={() => {
              const now = live.value?.n ?? 0;
              const label = marks.has(now) ? "" : `Turn ${live.value?.turn}, ${live.value?.phase.title}`.slice(0, 60);
              void ask<{ bookmarks: [number, string][] }>({ t: "bookmark", n: now, label }).then((r) => {
                if (r.ok) bookmarks.value = r.bookmarks;
              });
            }}
          >
            bookmark
          </button>
        )}
      </header>
      {sought.value !== null && (
        <label class="search">
          <span class="sr">Find in the record</span>
          <input type="search" placeholder="A unit, a hex, a phase, a case …" value={sought.value} ref={intoIt} onInput={(e) => (sought.value = e.currentTarget.value)} />
        </label>
      )}
      {missed.value > 0 && (
        <p class="missed">
          {missed.value} {missed.value === 1 ? "event" : "events"} since you left.{" "}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              void goTo((live.value?.n ?? 0) - missed.value);
              missed.value = 0;
            }}
          >
            show them
          </button>
        </p>
      )}
      {!entries.length && <p class="empty">{words.length ? "Nothing of the kind." : `Nothing has happened yet. ${sideName(live.value?.to_move)} moves first.`}</p>}
      <ol>
        {entries.map((entry) => {
          const title = `Turn ${entry.turn} · ${entry.phase}`;
          const first = title !== heading;
          heading = title;
          return (
            <Fragment key={entry.n}>
              {first && <li class="heading">{title}</li>}
              <LogItem entry={entry} marked={marks.has(entry.n)} here={n !== undefined && entry === told[at]} />
            </Fragment>
          );
        })}
      </ol>
      {from + entries.length < told.length && (
        <button type="button" class="quiet" onClick={() => (length.value += 2 * WINDOW)}>
          {told.length - from - entries.length} earlier
        </button>
      )}
    </section>
  );
}

/** A board for trying things out, and the way back. */
function Study() {
  const w = welcome.value;
  if (w?.kind !== "study") return null;
  const origin = sessionStorage.getItem(`from ${w.match}`);
  return (
    <p class="note">
      Study board: you play both sides, and even dice can be taken back. {origin && <a href={`/g/${origin}`}>Back to the game</a>}
    </p>
  );
}

export function Rail() {
  return (
    <aside class="rail" aria-label="Orders and record">
      <div class="deal">
        <OpenSeat />
        <Study />
        <Prompt />
        <Lines />
        <Menu />
        <Decisions />
        <Odds />
        <Waiting />
        <Stack />
      </div>
      <Log />
    </aside>
  );
}
