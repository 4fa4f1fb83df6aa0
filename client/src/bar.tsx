// Above and below the map: who and when, the sequence of play, undo, the turn track, the scrubber.
import { signal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { fit, zoomBy } from "./map";
import { post } from "./net";
import {
  ask,
  backToNow,
  bookmarks,
  change,
  connected,
  counters,
  end,
  ending,
  facts,
  geometry,
  goTo,
  layers,
  live,
  looked,
  past,
  people,
  resetPhase,
  settings,
  sheet,
  shown,
  sideName,
  stacks,
  threats,
  toast,
  toggle,
  undo,
  unread,
  welcome,
  whatIf,
  yours,
} from "./state";
import type { Phase } from "./types";
import { CaseLink, Chip, HexLink, landWords, Linked, LinkField, percent, phaseWords, shortDate, verdict } from "./words";

export function Brand() {
  return (
    <a class="brand" href="/" aria-label="Ladoga, front page">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 1 29 8.500v15L16 31 3 23.500V8.500z" fill="var(--teal)" />
        <path d="M7 14c3-2.500 6-2.500 9 0s6 2.500 9 0M7 20c3-2.500 6-2.500 9 0s6 2.500 9 0" fill="none" stroke="var(--paper)" stroke-width="2.400" stroke-linecap="round" />
      </svg>
      <span>Ladoga</span>
    </a>
  );
}

export const shortTitle = (title: string, id = ""): { name: string; rest: string; year: string } => {
  const year = /\((\d{4})\)\s*$/.exec(title)?.[1] ?? /-(\d{4})$/.exec(id)?.[1] ?? "";
  const bare = title.replace(/\s*\(\d{4}\)\s*$/, "");
  const [name = bare, ...rest] = bare.split(": ");
  return { name, rest: rest.join(": "), year: name.includes(year) ? "" : year };
};

const SHORT: [RegExp, string][] = [
  [/movement/i, "move"],
  [/replacements?/i, "replace"],
  [/reinforcements?/i, "reinforce"],
  [/air interdiction/i, "interdict"],
  [/fortifications?/i, "forts"],
  [/assignment to headquarters/i, "assign"],
  [/return of headquarters/i, "HQ back"],
  [/headquarters/i, "HQ"],
  [/activation/i, "activate"],
  [/supply determination/i, "supply"],
  [/air bombardment/i, "bomb"],
  [/mechanized/i, "mech"],
  [/offensive fire/i, "fire"],
  [/air strikes/i, "strikes"],
  [/lay the fleet's guns for attack/i, "fleet"],
  [/lay the fleet's guns for defence/i, "fleet defence"],
  [/place the units that start in the city/i, "set-up"],
];
const phaseWord = (p: Phase): string =>
  SHORT.reduce((t, [from, to]) => t.replace(from, to), p.title.replace(new RegExp(`^${p.side}\\s+`, "i"), "").replace(/\s+phase$/i, "")).replace(/^\w/, (c) => c.toUpperCase());

function Stepper() {
  const s = shown.value;
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => keepInSight(box.current?.querySelector<HTMLLIElement>(".now") ?? null), [s?.version, s?.n]);
  const phases = (s?.phases ?? []).filter((p) => !/(set-up|-bid|^lot)$/.test(p.id) || p.id === s?.phase.id);
  if (!s) return null;
  const list = phases.some((p) => p.id === s.phase.id) && !s.phase.id.endsWith("-bid") ? phases : [s.phase];
  const turn = list.filter((p) => p.side || p.id === s.phase.id);
  const at = turn.findIndex((p) => p.id === s.phase.id);
  let side = "";
  return (
    <ol class="stepper" ref={box} tabIndex={0} aria-label="Sequence of play" onScroll={(e) => fade(e.currentTarget)}>
      {turn.map((p, i) => {
        const head = p.side !== side;
        side = p.side;
        return (
          <Fragment key={p.id}>
            {head && (
              <li class={`who h ${i ? "sep" : ""}`} aria-hidden="true">
                {sideName(p.side)}
              </li>
            )}
            <li class={`${i < at ? "done" : i === at ? `now ${p.side}` : ""}`} aria-current={i === at ? "step" : undefined} title={`${p.title}, case ${p.case}`}>
              {i < at && <span aria-hidden="true">✓ </span>}
              <span class="sr">{sideName(p.side)} </span>
              {phaseWord(p)}
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}

function Standing() {
  const s = shown.value;
  if (!s) return null;
  const o = s.outcome ?? s.standing;
  return (
    <button
      type="button"
      class="standing"
      title="Victory ledger (V)"
      onClick={() => {
        sheet.value = "ledger";
      }}
    >
      <small>{s.outcome ? "Ended" : "If it ended now"}</small>
      <b>{verdict(o)}</b>
    </button>
  );
}

function keepInSight(el: HTMLLIElement | null): void {
  const list = el?.parentElement;
  if (!el || !list) return;
  const [item, whole] = [el.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollLeft += item.left - whole.left - (whole.width - item.width) / 2;
  fade(list);
  if (document.fonts.status !== "loaded") void document.fonts.ready.then(() => keepInSight(el));
}

/** Fade out what goes on beyond an edge, instead of cutting through a word. */
function fade(list: HTMLElement): void {
  list.style.setProperty("--before", list.scrollLeft > 1 ? "18px" : "0px");
  list.style.setProperty("--after", list.scrollLeft + list.clientWidth < list.scrollWidth - 1 ? "18px" : "0px");
}

export function TopBar() {
  const s = shown.value;
  const w = welcome.value;
  const u = live.value?.undo;
  const t = w ? shortTitle(w.game.title, w.game.id) : null;
  const ends = live.value?.offers.orders.some((o) => o === "end");
  const phase = live.value ? phaseWords(live.value.phase.title, live.value.phase.side) : "";
  return (
    <header class="top">
      <Brand />
      {w && s && (
        <div class="title">
          <b>
            {t!.name}
            {t!.year && `, ${t!.year}`}
          </b>
          <i>
            {w.game.calendar[s.turn - 1] ? `${shortDate(w.game.calendar[s.turn - 1]!)} · ` : ""}turn {s.turn} of {w.game.scenarios[w.scenario]?.turns ?? w.game.turns}
          </i>
        </div>
      )}
      <Stepper />
      <Standing />
      <button type="button" class="btn undo" disabled={!yours.value || !u || u.to === null} title={u?.to === null ? `Cannot undo: ${u.text}` : "Undo (U)"} onClick={() => void undo()}>
        <span aria-hidden="true">↶</span>
        <span class="label">{u && yours.value ? `${u.to === null ? "No undo" : "Undo"}: ${u.text}` : "Undo"}</span>
      </button>
      {yours.value ? (
        <button type="button" class="btn teal end" disabled={!ends} onClick={() => void end()}>
          End {phase.length > 18 ? "phase" : phase} <kbd>N</kbd>
        </button>
      ) : (
        <WhoMoves />
      )}
      <Tools />
    </header>
  );
}

function WhoMoves() {
  const s = live.value;
  const p = people.value;
  if (!s) return null;
  if (s.over)
    return (
      <button
        type="button"
        class="btn teal end"
        onClick={() => {
          sheet.value = "end";
        }}
      >
        Game over
      </button>
    );
  const seat = p?.seats.find((x) => x.side === s.to_move);
  if (past.value)
    return (
      <span class="waits" role="status">
        Replay
      </span>
    );
  return (
    <span class="waits" role="status">
      {p?.thinking ? (
        <>
          <i class="spin" aria-hidden="true" />
          <span>
            {sideName(s.to_move)} <span class="level">({seat?.player})</span> is thinking
          </span>
          <button type="button" class="quiet" onClick={() => void ask({ t: "pace", wait: 0 })}>
            skip
          </button>
        </>
      ) : (
        <>
          Waiting for {sideName(s.to_move)}
          {seat?.name ? `, ${seat.name}` : ""}
          {seat && !seat.here && seat.taken ? " (away)" : ""}
        </>
      )}
    </span>
  );
}

function Tools() {
  const items: [string, string, string][] = [
    ["rules", "Rules", "?"],
    ["charts", "Charts", "C"],
    ["oob", "Order of battle", "B"],
    ["boxes", "Beside the map", "O"],
    ["ledger", "Victory", "V"],
    ["talk", "People and talk", "P"],
    ["dice", "Dice", "D"],
    ...(welcome.value?.game.changes.length ? [["corrections", "Corrections", ""] as [string, string, string]] : []),
    ["keep", "Save, share, print", ""],
    ["settings", "Settings", ""],
    ["keys", "Keys", "K"],
  ];
  return (
    <div class="tools">
      <button type="button" class="btn icon" popovertarget="tools" aria-label={`More${unread.value ? `, ${unread.value} unread` : ""}`}>
        ☰{unread.value > 0 && <sup>{unread.value}</sup>}
      </button>
      <div id="tools" popover="auto" class="card pop">
        {items.map(([id, label, key]) => (
          <button
            type="button"
            key={id}
            onClick={() => {
              sheet.value = id;
              document.getElementById("tools")?.hidePopover();
            }}
          >
            {label} {key && <kbd>{key}</kbd>}
          </button>
        ))}
        <button
          type="button"
          disabled={!yours.value || live.value?.undo?.to == null}
          onClick={() => {
            document.getElementById("tools")?.hidePopover();
            void resetPhase();
          }}
        >
          Take back the whole phase
        </button>
        <button
          type="button"
          onClick={() => {
            document.getElementById("tools")?.hidePopover();
            void goTo(0);
          }}
        >
          Replay from the start
        </button>
        <button
          type="button"
          title="A board of your own from here; hidden facts are drawn anew"
          onClick={() => {
            document.getElementById("tools")?.hidePopover();
            void whatIf();
          }}
        >
          What if? Try it on a board of your own
        </button>
      </div>
    </div>
  );
}

export const LAYERS: [string, string, string][] = [
  ["reach", "Reach", "R"],
  ["zoc", "Zones of control", "Z"],
  ["supply", "Supply", "S"],
  ["threat", "Threat", "T"],
  ["moves", "Last enemy moves", "E"],
  ["control", "Control", "Y"],
  ["numbers", "Hex numbers", "X"],
  ["counters", "Counters", "H"],
];
const LAYER_WORDS: Record<string, string> = {
  threat: "The best odds the enemy could bring against each of your stacks from where he stands now, by what you know",
  supply: "Lines of supply, and where they are cut",
  moves: "Where the other side's counters came from",
};
const folded = signal(innerWidth < (1100 * settings.value.text) / 100);

export function Layers() {
  return (
    <div class={`layers card${folded.value ? " folded" : ""}`} role="group" aria-label="Layers">
      <button
        type="button"
        class="h fold"
        aria-expanded={!folded.value}
        onClick={() => {
          folded.value = !folded.value;
        }}
      >
        Layers
      </button>
      {!folded.value &&
        LAYERS.map(([id, label, key]) => (
          <button type="button" key={id} class={`toggle ${layers.value[id] ? "on" : ""}`} aria-pressed={!!layers.value[id]} title={LAYER_WORDS[id]} onClick={() => toggle(id)}>
            <i class={`glyph ${id}`} aria-hidden="true" />
            {label}
            <kbd>{key}</kbd>
          </button>
        ))}
    </div>
  );
}

export function Zoom() {
  const boards = geometry.value?.boards ?? [];
  return (
    <div class="zoom card" role="group" aria-label="Zoom">
      {boards.length > 1 &&
        boards.map((b) => (
          <button type="button" key={b.name} class="board-name" onClick={() => fit(b.name)} title={b.title || b.name}>
            {b.name}
          </button>
        ))}
      <button type="button" aria-label="Zoom in" onClick={() => zoomBy(1.35)}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 10h12M10 4v12" />
        </svg>
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => zoomBy(1 / 1.35)}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 10h12" />
        </svg>
      </button>
      <button type="button" aria-label="Whole map" onClick={() => fit()}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" />
        </svg>
      </button>
    </div>
  );
}

/** A seat nobody has taken: the link to send. */
export function OpenSeat() {
  const w = welcome.value;
  const p = people.value;
  const free = p?.seats.find((s) => !s.taken);
  if (!w || !free || !p?.you.length) return null;
  const link = invitation.value || sessionStorage.getItem(`invite ${w.match}`);
  const whole = link ? location.origin + link : "";
  return (
    <section class="openseat">
      <p>
        Nobody plays {sideName(free.side)} yet. {whole ? "Send this link; whoever opens it first sits down." : ""}
      </p>
      {whole ? (
        <LinkField link={whole} label={`Invitation for ${free.side}`} />
      ) : (
        <button
          type="button"
          class="btn"
          onClick={() =>
            void post<{ link: string }>(`/api/matches/${w.match}/invite`, { side: free.side }).then((made) => {
              invitation.value = made.link;
            })
          }
        >
          Make a link
        </button>
      )}
    </section>
  );
}
const invitation = signal("");

export function Inspector() {
  const hex = looked.value;
  const f = facts.value;
  if (!hex || !f || f.hex !== hex) return null;
  const units = stacks.value.get(hex) ?? [];
  const danger = layers.value.threat && !past.value && units.length ? threats.value[hex] : undefined;
  const bad = Object.entries(f.supply).filter(([, t]) => !t.supplied);
  return (
    <div class="inspector card">
      <b>{hex}</b>
      {f.name && <span class="serif">{f.name}</span>}
      <span>{landWords(f)}</span>
      {units.length > 0 && (
        <span class="mute">
          {units.length} unit{units.length > 1 ? "s" : ""}
        </span>
      )}
      {f.zones.length > 0 && <span class="mute">{f.zones.map(sideName).join(" and ")} ZOC</span>}
      {danger && (
        <span class="bad" title={`${danger.units.join(", ")}: the defender is hurt in ${danger.exact}`}>
          threatened at {danger.column} from where the enemy stands, hurt {percent(danger.hurt)} %
        </span>
      )}
      {bad.length > 0 ? (
        <span class="bad">
          out of supply <CaseLink number={bad[0]![1].case} />
        </span>
      ) : units.length && Object.values(f.supply)[0]?.source ? (
        <span class="mute">
          in supply from <HexLink hex={Object.values(f.supply)[0]!.source} />
        </span>
      ) : null}
    </div>
  );
}

export function Track() {
  const w = welcome.value;
  const s = shown.value;
  if (!w || !s) return null;
  const turns = w.game.scenarios[w.scenario]?.turns ?? w.game.turns;
  const due = new Map<number, string[]>();
  const boxes = new Map((s.table.boxes ?? []).map((b) => [b.id, b]));
  for (const c of counters.value.values()) {
    const turn = c.box ? boxes.get(c.box)?.turn : undefined;
    if (turn) due.set(turn, [...(due.get(turn) ?? []), c.id]);
  }
  return (
    <ol class="track" tabIndex={0} aria-label="Turn record track">
      {Array.from({ length: turns }, (_, i) => i + 1).map((t) => {
        const ids = due.get(t) ?? [];
        const by = new Map<string, number>();
        for (const id of ids) {
          const side = counters.value.get(id)!.side;
          by.set(side, (by.get(side) ?? 0) + 1);
        }
        return (
          <li key={t} ref={t === s.turn ? keepInSight : undefined} class={t < s.turn ? "past" : t === s.turn ? "now" : ""} aria-current={t === s.turn ? "date" : undefined}>
            <b>{t}</b>
            <span>{shortDate(w.game.calendar[t - 1] ?? "")}</span>
            <span class="due">
              {[...by].map(([side, n]) => (
                <em key={side} class={side} title={`${n} ${sideName(side)} due`}>
                  {n}
                </em>
              ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

const playing = signal(false);

export function Scrubber() {
  const s = live.value;
  const p = past.value;
  useEffect(() => {
    if (!playing.value || !p) return;
    const timer = setTimeout(() => {
      if (p.n + 1 >= (live.value?.n ?? 0)) playing.value = false;
      void goTo(p.n + 1);
    }, 450);
    return () => clearTimeout(timer);
  }, [p?.n, playing.value]);
  if (!s || !p) return null;
  return (
    <div class="scrubber card" role="group" aria-label="Replay">
      <button type="button" class="btn" onClick={() => void goTo(0)}>
        Start
      </button>
      <button type="button" class="btn" aria-label="One event back" onClick={() => void goTo(p.n - 1)}>
        ‹ <kbd>[</kbd>
      </button>
      <button
        type="button"
        class="btn"
        aria-pressed={playing.value}
        onClick={() => {
          playing.value = !playing.value;
        }}
      >
        {playing.value ? "Pause" : "Play"}
      </button>
      <button type="button" class="btn" aria-label="One event on" onClick={() => void goTo(p.n + 1)}>
        › <kbd>]</kbd>
      </button>
      <input type="range" min={0} max={s.n} value={p.n} aria-label={`Event ${p.n} of ${s.n}`} onInput={(e) => void goTo(Number(e.currentTarget.value))} />
      <span class="cond">
        {p.n} / {s.n} · turn {p.turn}, {p.phase.title}
      </span>
      {bookmarks.value.length > 0 && (
        <select aria-label="Bookmarks" onChange={(e) => e.currentTarget.value && void goTo(Number(e.currentTarget.value))}>
          <option value="">Bookmarks</option>
          {bookmarks.value.map(([n, label]) => (
            <option key={n} value={n}>
              {n}: {label}
            </option>
          ))}
        </select>
      )}
      <button
        type="button"
        class="btn"
        title="A board of your own from here; hidden facts are drawn anew"
        onClick={() => void whatIf()}
      >
        What if?
      </button>
      <button type="button" class="btn teal" onClick={backToNow}>
        Now
      </button>
    </div>
  );
}

export function Notices() {
  const t = toast.value;
  useEffect(() => {
    if (!t) return;
    const timer = setTimeout(() => {
      if (toast.value === t) toast.value = null;
    }, 6500);
    return () => clearTimeout(timer);
  }, [t]);
  return (
    <>
      {!connected.value && (
        <p class="lost" role="alert">
          Reconnecting, nothing is lost
        </p>
      )}
      {t && (
        <div class="toast" role="alert">
          <span>{t.message}</span> <CaseLink number={t.case} />
          <button
            type="button"
            class="quiet"
            aria-label="Close"
            onClick={() => {
              toast.value = null;
            }}
          >
            ✕
          </button>
        </div>
      )}
      <Ending />
    </>
  );
}

function Ending() {
  const idle = ending.value;
  if (!idle) return null;
  const shownUnits = idle.slice(0, 8).map((id) => counters.value.get(id)).filter((c) => !!c);
  return (
    <div class="toast ask" role="alertdialog" aria-label={idle.length ? "Units have not moved" : "Before the phase ends"}>
      {idle.length ? (
        <div>
          <b>
            {idle.length} unit{idle.length > 1 ? "s have" : " has"} not moved.
          </b>
          <div class="chips">
            {shownUnits.map((c) => (
              <Chip key={c.id} c={c} size={34} />
            ))}
          </div>
          <label>
            <input type="checkbox" checked={!settings.value.warn} onChange={(e) => change({ warn: !e.currentTarget.checked })} /> do not ask again
          </label>
        </div>
      ) : (
        <div>
          {live.value?.table.warnings?.map((w) => (
            <b key={w}>
              <Linked text={w} />.
            </b>
          ))}
        </div>
      )}
      <button type="button" class="btn teal" autofocus onClick={() => void end(true)}>
        End anyway <kbd>N</kbd>
      </button>
      <button
        type="button"
        class="btn"
        onClick={() => {
          ending.value = null;
        }}
      >
        Keep moving
      </button>
    </div>
  );
}

export function Peace() {
  const s = live.value;
  const offered = s?.peace ?? [];
  const own = people.value?.you ?? [];
  if (!s || s.over || !offered.length) return null;
  const mine = own.some((side) => offered.includes(side));
  return (
    <div class="toast ask">
      <span>{mine ? "You offered to end the game as it stands." : `${offered.map(sideName).join(", ")} offers to end the game as it stands.`}</span>
      {!mine && own.length > 0 && (
        <button type="button" class="btn teal" onClick={() => void ask({ t: "peace", offer: true })}>
          Accept
        </button>
      )}
      {mine && (
        <button type="button" class="btn" onClick={() => void ask({ t: "peace", offer: false })}>
          Withdraw
        </button>
      )}
    </div>
  );
}
