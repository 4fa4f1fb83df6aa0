// What is said in passing: refusals, a lost line, questions before a phase ends, offers of peace.
import { useEffect } from "preact/hooks";
import { fresh } from "../net";
import { change, settings } from "../settings/settings";
import { CaseLink, Chip, Linked } from "../words/pieces";
import { end } from "./acting";
import { ask } from "./line";
import { connected, counters, ending, live, people, sideName, toast } from "./state";

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
  const shownUnits = idle
    .slice(0, 8)
    .map((id) => counters.value.get(id))
    .filter((c) => !!c);
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

/** Somebody asks to take back more than is free. */
export function TakeBack() {
  const s = live.value;
  const asked = s?.takeback;
  const own = people.value?.you ?? [];
  if (!s || s.over || !asked) return null;
  const mine = own.includes(asked.side);
  const many = s.n - asked.to;
  const answer = (accept: boolean): unknown => ask({ t: "answerback", action: fresh(), accept });
  return (
    <div class="toast ask" role="alertdialog" aria-label="Take back">
      <span>
        {mine ? "You ask" : `${sideName(asked.side)} asks`} to take back {many === 1 ? "the last event" : `the last ${many} events`}, dice and all.
      </span>
      {!mine && own.length > 0 && (
        <button type="button" class="btn teal" onClick={() => void answer(true)}>
          Let them
        </button>
      )}
      {own.length > 0 && (
        <button type="button" class="btn" onClick={() => void answer(false)}>
          {mine ? "Withdraw" : "Play on"}
        </button>
      )}
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
