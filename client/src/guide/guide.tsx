// The guide: one card, one thing, shown when what it speaks of is first met, to the seat that plays.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { moment } from "../fight/moment";
import { centreOn } from "../map/view";
import { get } from "../net";
import { focused, selected } from "../selection/state";
import { announce, counters, live, log, people, sideName, welcome, yours } from "../table/state";
import { CaseLink, SideMark } from "../words/pieces";
import "./guide.css";

interface Step {
  id: string;
  title: string;
  text: string;
  side?: string;
  case?: string;
  at?: string;
  when?: { phase?: string; offer?: string; after?: string };
  until?: { select?: boolean; verb?: string; phase?: string };
}

const steps = signal<Step[]>([]);

/** Steps that have been met or waved off at this table. */
const done = signal<string[]>([]);
const open = signal(false);
export const folded = signal(false);

/** Put off until something else has happened. */
const later = signal(-1);

const key = (): string => `guide ${welcome.value?.match}`;
const keep = (): void => localStorage.setItem(key(), JSON.stringify({ done: done.value, left: !open.value }));

const offered = (verb: string): boolean => {
  const o = live.value?.offers;
  if (!o) return false;
  const said = (order: string): boolean => order.split(" ")[0] === verb;
  return (
    o.orders.some(said) ||
    Object.values(o.hexes).some((list) => list.some(said)) ||
    Object.values(o.units).some((list) => list.includes(verb)) ||
    o.due.some((d) => d.verb === verb)
  );
};

const ordered = (verb: string): boolean => log.value.some((e) => e.text.split(" ")[0] === verb && e.side === live.value?.audience);

const mine = computed(() => steps.value.filter((s) => !s.side || s.side === live.value?.audience));

/** The step to show: the first of this seat that fits the moment and was not met before. */
const step = computed<Step | undefined>(() => {
  const s = live.value;
  if (!open.value || !yours.value || !s || moment.value || later.value === s.version) return undefined;
  return mine.value.find(
    (t) => !done.value.includes(t.id) && (!t.when?.phase || s.phase.id === t.when.phase) && (!t.when?.offer || offered(t.when.offer)) && (!t.when?.after || ordered(t.when.after)),
  );
});

/** The hex a step speaks of, found among what may be done now. */
const where = computed(() => {
  const t = step.value;
  const s = live.value;
  if (!t?.at || !s) return "";
  const verb = t.when?.offer ?? "";
  if (t.at === "hexes") return Object.entries(s.offers.hexes).find(([, list]) => list.some((o) => o.startsWith(verb)))?.[0] ?? "";
  if (t.at === "due") return s.offers.due.find((d) => d.verb === verb)?.hexes.at(-1) ?? "";
  const unit = Object.entries(s.offers.units).find(([id, verbs]) => verbs.includes(verb) && counters.value.get(id)?.hex)?.[0];
  return unit ? (counters.value.get(unit)?.hex ?? "") : "";
});

const since = signal(0);

const met = computed(() => {
  const u = step.value?.until;
  if (!u) return false;
  if (u.select) return selected.value.length > 0;
  if (u.phase) return live.value?.phase.id === u.phase;
  return !!u.verb && log.value.some((e) => e.n > since.value && e.text.split(" ")[0] === u.verb);
});

function know(): void {
  if (step.value) done.value = [...done.value, step.value.id];
  keep();
}

function show(): void {
  if (!where.value) return;
  focused.value = where.value;
  centreOn(where.value);
}

export function toggleGuide(): void {
  if (open.value) folded.value = !folded.value;
  else void begin(true);
}

async function begin(asked: boolean): Promise<void> {
  const w = welcome.value;
  if (!w?.game.guide || !people.value?.you.length) return;
  const kept = JSON.parse(localStorage.getItem(key()) ?? "{}") as { done?: string[]; left?: boolean };
  if (kept.left && !asked) return;
  if (!steps.value.length) steps.value = await get<Step[]>(`/api/games/${w.game.id}/guide`);
  done.value = kept.done ?? [];
  open.value = true;
  folded.value = false;
}

/** The ring around the hex that the guide speaks of. */
export const guided = computed(() => (folded.value ? "" : where.value));

export function Guide() {
  const w = welcome.value;
  const seated = !!people.value?.you.length;
  useEffect(() => {
    open.value = false;
    steps.value = [];
    if (w?.kind === "guide" && seated) void begin(false);
  }, [w?.match, seated]);
  const t = step.value;
  useEffect(() => {
    since.value = live.value?.n ?? 0;
    if (!t) return;
    announce(`Guide, ${sideName(live.value?.audience)} seat. ${t.title}.${where.value ? ` At ${where.value}.` : ""}`);
    if (where.value) centreOn(where.value, false);
  }, [t?.id]);
  useEffect(() => {
    if (met.value) know();
  }, [met.value]);
  if (!t) return null;
  const seen = mine.value.filter((s) => done.value.includes(s.id)).length;
  return (
    <section class={`guide card${folded.value ? " folded" : ""}`} aria-label="Guide" data-step={t.id} data-at={where.value}>
      <button type="button" class="h fold" aria-expanded={!folded.value} onClick={() => (folded.value = !folded.value)}>
        <span>
          Guide · {sideName(live.value?.audience)} seat{folded.value ? `: ${t.title}` : ""}
        </span>
        <span class="quiet">
          {folded.value ? "show" : "fold"} <kbd>G</kbd>
        </span>
      </button>
      {!folded.value && (
        <>
          <h2>{t.title}</h2>
          <p>
            {t.text.replace("{hex}", where.value || "the ringed hex")} <CaseLink number={t.case} />
          </p>
          <div class="acts wrap">
            {where.value && (
              <button type="button" class="btn go" onClick={show}>
                Show me
              </button>
            )}
            <button type="button" class="btn" onClick={() => (later.value = live.value?.version ?? -1)}>
              Later
            </button>
            <button type="button" class="btn" onClick={know}>
              I know this
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                open.value = false;
                keep();
              }}
            >
              leave the guide
            </button>
          </div>
          <p class="progress">
            <SideMark side={live.value?.audience ?? ""} />
            <span aria-hidden="true">
              {mine.value.map((s) => (
                <i key={s.id} class={done.value.includes(s.id) ? "on" : s === t ? "now" : ""} />
              ))}
            </span>
            <b>
              {seen} of {mine.value.length}
            </b>
          </p>
        </>
      )}
    </section>
  );
}
