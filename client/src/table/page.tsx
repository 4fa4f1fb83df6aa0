// The table: map, bars, rail, sheets.
import { useEffect } from "preact/hooks";
import { Guide } from "../guide/guide";
import { CommandLine } from "../keys/command";
import { pressed } from "../keys/keys";
import { Edge } from "../map/edge";
import { Foot } from "../map/foot";
import { MapView } from "../map/map";
import { Margin } from "../map/margin";
import { centreOn } from "../map/view";
import { waits } from "../net";
import { Curtain, Invitation, invited } from "../people/curtain";
import { watchTurns } from "../people/turns";
import { goTo } from "../replay/replay";
import { Scrubber } from "../replay/scrubber";
import { selected } from "../selection/state";
import { Sheets } from "../sheets/sheets";
import { Dragged } from "../staff/drag";
import { NotHere } from "../words/pieces";
import { Banner } from "./banner";
import { TopBar } from "./bar";
import { leave, sitDown } from "./line";
import { Notices, Peace, TakeBack } from "./notices";
import { Prompt } from "./prompt";
import { Rail } from "./rail";
import { attention, connected, live, past, said, sheet, trouble, welcome, yours } from "./state";
import { Track } from "./track";
import "./table.css";

export function TablePage({ match }: { match: string }) {
  useEffect(() => {
    const token = new URLSearchParams(location.search).get("seat");
    if (token) invited.value = token;
    else sitDown(match);
    addEventListener("keydown", pressed);
    const unwatch = watchTurns(match);
    return () => {
      unwatch();
      removeEventListener("keydown", pressed);
      leave();
    };
  }, [match]);
  useEffect(() => {
    if (attention.value) centreOn(attention.value, false);
  }, [attention.value, live.value?.version, past.value?.n]);
  const asked = new URLSearchParams(location.search).get("at");
  const corrected = welcome.value?.game.changes.length ? `told ${match}` : "";
  useEffect(() => {
    if (!corrected || sessionStorage.getItem(corrected)) return;
    sessionStorage.setItem(corrected, "yes");
    sheet.value = "corrections";
  }, [corrected]);
  useEffect(() => {
    if (live.value?.over && !asked) sheet.value = "end";
  }, [live.value?.over]);
  useEffect(() => {
    if (asked && live.value) void goTo(Number(asked));
  }, [!live.value]);
  return (
    <div
      class={`table${connected.value ? "" : " offline"}${past.value ? " replay" : ""}`}
      data-yours={yours.value}
      data-version={live.value?.version}
      data-game={welcome.value?.game.id}
      data-side={live.value?.to_move}
      data-phase={live.value?.phase.id}
      data-n={live.value?.n}
      data-chosen={selected.value.join(" ")}
      data-busy={waits.value}
    >
      <TopBar />
      <main>
        <Banner />
        <MapView />
        <Margin />
        <Edge />
        <Scrubber />
        <CommandLine />
        <Guide />
        <div class="phone-prompt">
          <Prompt />
        </div>
        <Foot />
        <Track />
      </main>
      <Rail />
      <Notices />
      <Peace />
      <TakeBack />
      <Sheets />
      <Dragged />
      <Curtain />
      <Invitation match={match} />
      {trouble.value && <NotHere why={trouble.value} />}
      <div class="sr" role="log" aria-live="polite" data-testid="said">
        {said.value}
      </div>
    </div>
  );
}
