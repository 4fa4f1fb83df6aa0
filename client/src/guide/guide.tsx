// A guided first turn: short steps, each waiting for something to be done at the table.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { centreOn } from "../map/view";
import { get } from "../net";
import { focused, selected } from "../selection/state";
import { live, log, welcome } from "../table/state";
import { CaseLink } from "../words/pieces";
import "./guide.css";

interface Step {
  title: string;
  text: string;
  case?: string;
  hex?: string;
  until?: { select?: boolean; verb?: string; phase?: string };
}

const steps = signal<Step[]>([]);
const at = signal(0);
const open = signal(false);

/** Only the heading is shown: on a small screen the rest hides the map. */
const folded = signal(false);

const met = computed(() => {
  const u = steps.value[at.value]?.until;
  if (!u || !open.value) return false;
  if (u.select) return selected.value.length > 0;
  if (u.phase) return live.value?.phase.id === u.phase;
  if (u.verb) return log.value.some((e) => e.n > since.value && e.text.startsWith(u.verb!));
  return false;
});

const since = signal(0);

function go(to: number): void {
  at.value = Math.max(0, Math.min(to, steps.value.length - 1));
  since.value = live.value?.n ?? 0;
  folded.value = false;
  const hex = steps.value[at.value]?.hex;
  if (hex) {
    focused.value = hex;
    centreOn(hex);
  }
}

export function Guide() {
  const w = welcome.value;
  useEffect(() => {
    open.value = false;
    if (w?.kind !== "guide") return;
    void get<Step[]>(`/api/games/${w.game.id}/guide`).then((found) => {
      steps.value = found;
      open.value = true;
      go(0);
    });
  }, [w?.match]);
  useEffect(() => {
    if (met.value) go(at.value + 1);
  }, [met.value]);
  const step = steps.value[at.value];
  if (!open.value || !step) return null;
  const last = at.value === steps.value.length - 1;
  return (
    <section class={`guide card${folded.value ? " folded" : ""}`} aria-label="Guide" aria-live="polite">
      <button type="button" class="h fold" aria-expanded={!folded.value} onClick={() => (folded.value = !folded.value)}>
        <span>
          Guide, {at.value + 1} of {steps.value.length}
          {folded.value ? `: ${step.title}` : ""}
        </span>
        <span class="quiet">{folded.value ? "show" : "hide"}</span>
      </button>
      {!folded.value && (
        <>
          <h2>{step.title}</h2>
          <p>
            {step.text} <CaseLink number={step.case} />
          </p>
        </>
      )}
      <div class="acts">
        <button type="button" class="btn" disabled={!at.value} onClick={() => go(at.value - 1)}>
          Back
        </button>
        <button
          type="button"
          class="btn teal"
          onClick={() => {
            if (last) open.value = false;
            else go(at.value + 1);
          }}
        >
          {last ? "Play on" : step.until ? "Skip" : "Next"}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            open.value = false;
          }}
        >
          leave the guide
        </button>
      </div>
    </section>
  );
}
