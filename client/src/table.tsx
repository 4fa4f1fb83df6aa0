// The table: map, bars, rail, sheets.
import { useEffect } from "preact/hooks";
import { Inspector, Layers, Notices, Peace, Scrubber, TopBar, Track, Zoom } from "./bar";
import { CommandLine } from "./command";
import { Guide } from "./guide";
import { pressed } from "./keys";
import { centreOn, MapView, Overview } from "./map";
import { post, waits } from "./net";
import { Prompt, Rail } from "./rail";
import { Sheets } from "./sheets";
import { ask, attention, connected, curtain, leave, live, past, said, selected, sheet, show, sideName, sitDown, trouble, welcome, yours } from "./state";
import { signal } from "@preact/signals";
import { SideMark } from "./words";

const invited = signal<string | null>(null);
const name = signal("");

function Curtain() {
  const side = curtain.value;
  if (!side) return null;
  return (
    <div class="curtain" role="dialog" aria-modal="true" aria-label="Hand over">
      <div class="card">
        <h1>
          <SideMark side={side} /> {sideName(side)} to move
        </h1>
        <p>There are secrets on this table. Hand the screen to the {sideName(side)} player, who then goes on.</p>
        <button type="button" class="btn teal" autofocus onClick={() => void ask({ t: "ready", side })}>
          I play the {sideName(side)} side
        </button>
      </div>
    </div>
  );
}

function Invitation({ match }: { match: string }) {
  const token = invited.value;
  if (!token) return null;
  const sit = async (): Promise<void> => {
    let refused = "";
    try {
      await post(`/api/matches/${match}/sit`, { token, name: name.value.trim() });
    } catch (problem) {
      refused = (problem as Error).message;
    }
    invited.value = null;
    history.replaceState(null, "", `/g/${match}`);
    sitDown(match);
    if (refused) show(`You may watch, but not play: ${refused}`);
  };
  return (
    <div class="curtain" role="dialog" aria-modal="true" aria-label="Invitation">
      <form
        class="card"
        onSubmit={(e) => {
          e.preventDefault();
          void sit();
        }}
      >
        <h1>You are invited to play</h1>
        <p>No account is needed. Give a name if you like.</p>
        <label>
          Name
          <input maxLength={40} value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} autofocus />
        </label>
        <button type="submit" class="btn commit">
          Sit down
        </button>
      </form>
    </div>
  );
}

export function TablePage({ match }: { match: string }) {
  useEffect(() => {
    const token = new URLSearchParams(location.search).get("seat");
    if (token) invited.value = token;
    else sitDown(match);
    addEventListener("keydown", pressed);
    return () => {
      removeEventListener("keydown", pressed);
      leave();
    };
  }, [match]);
  useEffect(() => {
    if (attention.value) centreOn(attention.value, false);
  }, [attention.value, live.value?.version, past.value?.n]);
  const corrected = welcome.value?.game.changes.length ? `told ${match}` : "";
  useEffect(() => {
    if (!corrected || sessionStorage.getItem(corrected)) return;
    sessionStorage.setItem(corrected, "yes");
    sheet.value = "corrections";
  }, [corrected]);
  useEffect(() => {
    if (live.value?.over) sheet.value = "end";
  }, [live.value?.over]);
  return (
    <div class={`table${connected.value ? "" : " offline"}${past.value ? " replay" : ""}`} data-yours={yours.value} data-version={live.value?.version} data-game={welcome.value?.game.id} data-side={live.value?.to_move} data-phase={live.value?.phase.id} data-n={live.value?.n} data-chosen={selected.value.join(" ")} data-busy={waits.value}>
      <TopBar />
      <main>
        <MapView />
        <Layers />
        <Inspector />
        <Zoom />
        <Overview />
        <Scrubber />
        <CommandLine />
        <Guide />
        <div class="phone-prompt">
          <Prompt />
        </div>
        <Track />
      </main>
      <Rail />
      <Notices />
      <Peace />
      <Sheets />
      <Curtain />
      <Invitation match={match} />
      {trouble.value && (
        <div class="curtain" role="alert">
          <div class="card">
            <h1>Not here</h1>
            <p>{trouble.value}</p>
            <a class="btn teal" href="/">
              Front page
            </a>
          </div>
        </div>
      )}
      <div class="sr" role="log" aria-live="polite" data-testid="said">
        {said.value}
      </div>
    </div>
  );
}
