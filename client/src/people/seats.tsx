// A seat that nobody has taken yet.
import { signal } from "@preact/signals";
import { post } from "../net";
import { people, sideName, welcome } from "../table/state";
import { LinkField } from "../words/pieces";

/** Whether nobody on another machine can come here. */
const HERE = /^(127\.|localhost$|\[::1\]$)/.test(location.hostname);

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
      {whole && HERE && (
        <p class="mute">This table is open on your own machine only, so the link works in another browser here. For somebody elsewhere start it with ladoga serve.</p>
      )}
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
