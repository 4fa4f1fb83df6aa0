// Above the map: who and when, the sequence of play, undo, the end of the phase.
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { goTo, whatIf } from "../replay/replay";
import type { Phase, State } from "../wire";
import { orderWords } from "../words/orders";
import { Brand } from "../words/pieces";
import { shortDate, shortTitle, verdict } from "../words/text";
import { again, askable, askBack, backWords, end, resetPhase, undo, undone } from "./acting";
import { ask } from "./line";
import { live, past, people, sheet, show, shown, sideName, unread, used, welcome, yours } from "./state";

const phaseWord = (p: Phase): string => welcome.value?.game.phases[p.id]?.short ?? p.title;
const before = (p: Phase): boolean => !!welcome.value?.game.phases[p.id]?.before;

function Stepper() {
  const s = shown.value;
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => keepInSight(box.current?.querySelector<HTMLLIElement>(".now") ?? null), [s?.version, s?.n]);
  const phases = (s?.phases ?? []).filter((p) => !before(p) || p.id === s?.phase.id);
  if (!s) return null;
  const list = phases.some((p) => p.id === s.phase.id) && !before(s.phase) ? phases : [s.phase];
  const turn = list.filter((p) => p.side || p.id === s.phase.id);
  const at = turn.findIndex((p) => p.id === s.phase.id);
  // The other side's phases are one step, so that the bar stays where it is and fits.
  const blocks: Phase[][] = [];
  for (const p of turn) {
    if (blocks.at(-1)?.[0]?.side === p.side) blocks.at(-1)!.push(p);
    else blocks.push([p]);
  }
  const here = blocks.findIndex((block) => block.includes(turn[at]!));
  return (
    <ol class="stepper" ref={box} tabIndex={0} aria-label="Sequence of play" onScroll={(e) => fade(e.currentTarget)}>
      {blocks.map((block, n) => {
        const side = block[0]!.side;
        // A turn of many player-turns shows the one before and the one to come.
        if (n < here - 1 || n > here + 1) return null;
        if (n !== here)
          return (
            <li key={block[0]!.id} class={n < here ? "done" : ""} title={block.map((p) => p.title).join(", ")}>
              {n < here && <span aria-hidden="true">✓&nbsp;</span>}
              {side ? `${sideName(side)} turn` : phaseWord(block[0]!)}
            </li>
          );
        return (
          <Fragment key={block[0]!.id}>
            <li class={`who h ${n ? "sep" : ""}`} aria-hidden="true">
              {sideName(side)}
            </li>
            {block.map((p) => {
              const i = turn.indexOf(p);
              return (
                <li key={p.id} class={`${i < at ? "done" : i === at ? `now ${p.side}` : ""}`} aria-current={i === at ? "step" : undefined} title={`${p.title}, case ${p.case}`}>
                  {i < at && <span aria-hidden="true">✓&nbsp;</span>}
                  <span class="sr">{sideName(p.side)} </span>
                  {phaseWord(p)}
                </li>
              );
            })}
          </Fragment>
        );
      })}
    </ol>
  );
}

/** On a small screen: whose, what, when, and how far the turn has come. */
function PhoneBar() {
  const s = shown.value;
  const w = welcome.value;
  if (!s || !w) return null;
  const phases = s.phases.filter((p) => p.side && !/(set-up|-bid|^lot)$/.test(p.id));
  const at = phases.findIndex((p) => p.id === s.phase.id);
  return (
    <div class="phonebar">
      <b>{yours.value && s.ask.what ? s.ask.what : s.phase.title}</b>
      <i>
        turn {s.turn}
        {w.game.calendar[s.turn - 1] ? `, ${shortDate(w.game.calendar[s.turn - 1]!)}` : ""}
      </i>
      <span class="dashes" aria-hidden="true">
        {phases.map((p, i) => (
          <em key={p.id} class={`${p.side}${i < at ? " past" : i === at ? " here" : ""}`} />
        ))}
      </span>
    </div>
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
      <small>{s.outcome ? "Ended" : "Standing now"}</small>
      <b>{verdict(o)}</b>
    </button>
  );
}

export function keepInSight(el: HTMLLIElement | null): void {
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
  return (
    <header class="top">
      <h1 class="sr">{w?.game.title ?? "Table"}</h1>
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
      <PhoneBar />
      <Stepper />
      <Standing />
      <button
        type="button"
        class="btn undo"
        aria-disabled={!!past.value || u?.to == null}
        title={u?.to === null ? `Cannot undo: ${u.text}` : `${undoWords(u)} (U)`}
        onClick={() => void undo()}
      >
        <span aria-hidden="true">↶</span>
        <span class="label">{undoWords(u)}</span>
      </button>
      {yours.value && undone.value.length > 0 && (
        <button type="button" class="btn again" title={undone.value.map(orderWords).join("; ")} onClick={() => void again()}>
          <span aria-hidden="true">↷</span>
          <span class="label">
            Again: {undone.value.length} order{undone.value.length > 1 ? "s" : ""}
          </span>
        </button>
      )}
      {yours.value ? <End /> : <WhoMoves />}
      <Tools />
    </header>
  );
}

const undoWords = (u: State["undo"]): string => {
  if (!u || past.value || (!yours.value && u.to === null)) return "Undo";
  if (u.to !== null) return `Undo: ${backWords(u)}`;
  return u.text === "nothing to undo" ? "Nothing to undo" : `No undo: ${u.text}`;
};

/** Ends the phase, or declines what is offered; held back, it says why inside itself. */
function End() {
  const ending = live.value?.ask.ending;
  if (!ending) return null;
  return (
    <button
      type="button"
      class={`btn end${ending.held ? " held" : " teal"}`}
      aria-disabled={!!ending.held}
      aria-describedby={ending.held ? "held" : undefined}
      onClick={() => void end()}
    >
      <span>
        {ending.label}
        {ending.held && <small id="held">{ending.held}</small>}
      </span>{" "}
      <kbd>N</kbd>
    </button>
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
  const part = Math.round(100 * used.value);
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
          <span class="busy">
            <span>
              {sideName(s.to_move)} <span class="level">({seat?.player})</span> is thinking
            </span>
            {used.value > 0 && (
              <progress max={100} value={part} aria-label="Time used of its turn" title={`${part} % of the time for its turn is used`}>
                {part} %
              </progress>
            )}
          </span>
          {p.you.length > 0 && (
            <button type="button" class="btn now" title="It makes up its mind with what it has found so far" onClick={() => void moveNow()}>
              Move now
            </button>
          )}
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

async function moveNow(): Promise<void> {
  const reply = await ask({ t: "now" });
  if (!reply.ok) show(reply.message ?? "refused");
}

function Tools() {
  const items: [string, string, string][] = [
    ["rules", "Rules", "?"],
    ["charts", "Charts", "C"],
    ["oob", "Order of battle", "B"],
    ["boxes", "Off-map units", "O"],
    ["ledger", "Victory", "V"],
    ["talk", "Players and chat", "P"],
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
        {askable() !== null && (
          <button
            type="button"
            onClick={() => {
              document.getElementById("tools")?.hidePopover();
              void askBack();
            }}
          >
            Ask to take back my last order
          </button>
        )}
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
