// The record of what happened.
import { signal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { undo } from "../table/acting";
import { ask } from "../table/line";
import { bookmarks, live, log, missed, past, sheet, sideName, yours } from "../table/state";
import type { LogEntry } from "../wire";
import { orderSaid, orderWords } from "../words/orders";
import { CaseLink, Linked, SideMark } from "../words/pieces";
import { backToNow, goTo } from "./replay";
import "./replay.css";

/** Whether it is told why computers ordered what they did. */
const reasoned = signal(false);

function LogItem({ entry, marked, here }: { entry: LogEntry; marked: boolean; here: boolean }) {
  const lines = entry.lines.length ? entry.lines : [{ text: entry.chance ? `${entry.chance}: ${orderSaid(entry.text)}` : orderWords(entry.text), case: "", kind: "" }];
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
        {reasoned.value && entry.reason && <p class="mute">{entry.reason}</p>}
      </div>
      <button
        type="button"
        class={`jump${marked ? " marked" : ""}`}
        title={`Show the table after event ${entry.n}${entry.roll ? `, roll ${entry.roll}` : ""}`}
        onClick={() => void goTo(entry.n)}
      >
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
  const from = at < 0 ? told.length : Math.max(0, at - WINDOW / 2);
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
        <h2 class="h">Record</h2>
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
        {log.value.some((e) => e.reason) && (
          <button type="button" class="quiet" aria-pressed={reasoned.value} title="Why the computer did what it did" onClick={() => (reasoned.value = !reasoned.value)}>
            why
          </button>
        )}
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
