// Who sits down: handing over a shared screen, taking up an invitation.
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post } from "../net";
import { ask, sitDown } from "../table/line";
import { curtain, show, sideName } from "../table/state";
import type { Invitation as Told } from "../wire";
import { SideMark } from "../words/pieces";

export const invited = signal<string | null>(null);

const name = signal("");

export function Curtain() {
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

export function Invitation({ match }: { match: string }) {
  const token = invited.value;
  const told = useSignal<Told | null>(null);
  useEffect(() => {
    if (token) void get<Told>(`/api/matches/${match}/invitation`).then((t) => (told.value = t));
  }, [token]);
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
        <h1>
          {told.value?.host ? `${told.value.host} invites you` : "You are invited"}
          {told.value?.side ? ` to play the ${sideName(told.value.side)} side` : " to play"}
        </h1>
        {told.value && (
          <p class="to">
            {told.value.side && <SideMark side={told.value.side} />} <b>{told.value.title}</b>, turn {told.value.turn}, {told.value.phase}
          </p>
        )}
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
