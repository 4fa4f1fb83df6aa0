// The people at the table, and what they say.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post } from "../net";

import { ask } from "../table/line";
import { live, people, show, sideName, talk, unread, welcome } from "../table/state";
import { LinkField, SideMark, Sure } from "../words/pieces";
import { ago } from "../words/text";
import "./people.css";

const draft = signal("");
export const link = signal<Record<string, string>>({});

/** Offer to end the game as it stands; whoever declines at once is heard. */
async function offer(): Promise<void> {
  const reply = await ask({ t: "peace", offer: true });
  if (!reply.ok) show(reply.message ?? "refused");
}

export function Talk() {
  const p = people.value;
  const w = welcome.value;
  useEffect(() => {
    unread.value = 0;
  }, [talk.value]);
  const invite = async (side: string): Promise<void> => {
    const made = await post<{ link: string }>(`/api/matches/${w!.match}/invite`, { side });
    link.value = { ...link.value, [side]: location.origin + made.link };
  };
  const seated = (p?.you.length ?? 0) > 0;
  const alone = p?.seats.every((s) => p.you.includes(s.side));
  const name = p?.seats.find((s) => p.you.includes(s.side))?.name ?? "";
  return (
    <>
      <ul class="seats">
        {p?.seats.map((s) => (
          <li key={s.side}>
            <SideMark side={s.side} />
            <b>{sideName(s.side)}</b>
            <span>
              {s.player ? `the computer, ${s.player}` : !s.taken ? "nobody yet" : `${p.you.includes(s.side) ? "you" : s.name || "a player"}${s.here ? ", at the table" : ", away"}`}
            </span>
            {!s.taken && seated && (
              <button type="button" class="btn" onClick={() => void invite(s.side)}>
                Invite by link
              </button>
            )}
            {link.value[s.side] && <LinkField link={link.value[s.side]!} label={`Invitation for ${s.side}`} />}
          </li>
        ))}
        <li>
          <i class="mark" />
          <b>Watching</b>
          <span>{p?.watching || "nobody"}; whoever has this page's address may</span>
        </li>
      </ul>
      {seated && (
        <label class="say">
          Your name
          <input maxLength={40} value={name} placeholder="What the others read" onChange={(e) => void post("/api/name", { name: e.currentTarget.value })} />
        </label>
      )}
      <ol class="talk" aria-live="polite">
        {talk.value.map((t) => (
          <li key={t.n}>
            <b>{t.author}</b> <span>{t.text}</span> <small class="mute">{ago(t.at)}</small>
          </li>
        ))}
      </ol>
      <form
        class="say"
        onSubmit={(e) => {
          e.preventDefault();
          const text = draft.value.trim();
          if (text) void ask({ t: "say", text });
          draft.value = "";
        }}
      >
        <input aria-label="Say something" placeholder="To everybody at the table" maxLength={2000} value={draft.value} onInput={(e) => (draft.value = e.currentTarget.value)} />
        <button type="submit" class="btn teal">
          Say
        </button>
      </form>
      {seated && !live.value?.over && (
        <div class="acts wrap">
          {alone ? (
            <Sure label="End as it stands" question="End this game as it stands?" yes="Yes, end it" act={offer} />
          ) : (
            <Sure
              label="Offer to end as it stands"
              question={`Offer to end the game as it stands?${p?.seats.some((s) => s.player) ? " The computer accepts if it is ahead." : ""}`}
              yes="Yes, offer it"
              act={offer}
            />
          )}
          <Sure label="Resign" question={`Resign for the ${sideName(live.value?.audience)} side?`} yes="Yes, resign" act={() => ask({ t: "resign" })} />
        </div>
      )}
    </>
  );
}
