// The map editor: choose a tool, touch hexes and hexsides, see the map drawn anew, keep the corrections.
import { computed, effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Brand, download, NotHere, Sure } from "../words/pieces";
import { shortTitle } from "../words/text";
import { applied, type Change, erased, hexAt, type Land, NOTHING, type Spot, sent, setName, setWhy, sideKey, sidesAt, type Tool, touched, type Word, whole } from "./editor";
import "./editor.css";
import { Geometry, type Point } from "../map/geometry";
import { centreOn, fit, layDown, pointAt, useMap, zoomBy } from "../map/view";
import { get, post, send } from "../net";
import { palette } from "../settings/settings";
import { geometry } from "../table/state";
import type { Ground } from "../wire";

interface Problem {
  path: string;
  message: string;
}
interface Kept {
  name: string;
  map: Partial<Change>;
  mark: string;
  folder: string;
  others: string[];
}

const game = signal("");
const land = signal<Land | null>(null);
const draft = signal<Change>(NOTHING);
const past = signal<Change[]>([]);
const future = signal<Change[]>([]);
const tool = signal<Tool>({ kind: "look", word: "" });
const spot = signal<Spot | null>(null);
const hover = signal<Spot | null>(null);
const words = signal<string[]>([]);
const problems = signal<Problem[]>([]);
const name = signal("");
const kept = signal<Kept | null>(null);
const stored = signal("{}");
const note = signal("");
const bad = signal("");
const drawing = signal(false);
const trouble = signal("");

const dirty = computed(() => JSON.stringify(sent(draft.value)) !== stored.value);
const sideTool = computed(() => tool.value.kind === "side");

// Making corrections ----------------------------------------------------------------------------

function become(next: Change): void {
  if (next === draft.value || JSON.stringify(next) === JSON.stringify(draft.value)) return;
  past.value = [...past.value, draft.value];
  future.value = [];
  draft.value = next;
}

function step(from: typeof past, to: typeof future): void {
  const state = from.value.at(-1);
  if (!state) return;
  from.value = from.value.slice(0, -1);
  to.value = [...to.value, draft.value];
  draft.value = state;
}
const undo = (): void => step(past, future);
const redo = (): void => step(future, past);

function use(at: Spot): void {
  const l = land.value;
  if (!l) return;
  spot.value = at;
  become(applied(l, draft.value, tool.value, at));
  note.value = inWords(at);
}

/** A spot in words, for the eyes and for screen readers. */
function inWords(at: Spot): string {
  const l = land.value;
  if (!l) return "";
  const there = hexAt(l, draft.value, at.hex);
  const parts = [at.hex, there.name, there.terrain, ...there.places];
  if (at.beyond) parts.push(`side to ${at.beyond}: ${sidesAt(l, draft.value, sideKey(at.hex, at.beyond)).join(", ") || "plain"}`);
  return parts.filter(Boolean).join(", ");
}

/** The corrections of this game that were not saved, kept by the browser. */
const DRAFT = (): string => `draft ${game.value}`;

effect(() => {
  const now = draft.value;
  if (!land.value) return;
  if (dirty.value) localStorage.setItem(DRAFT(), JSON.stringify(sent(now)));
  else localStorage.removeItem(DRAFT());
});

// The server: words, problems, drawings ------------------------------------------------------------

let asked = 0;
async function check(): Promise<void> {
  const mine = ++asked;
  try {
    const told = await post<{ changes: string[]; problems: Problem[] }>(`/api/editor/${game.value}/check`, { map: sent(draft.value), name: kept.value?.name ?? "" });
    if (mine !== asked) return;
    words.value = told.changes;
    problems.value = told.problems;
  } catch (e) {
    bad.value = (e as Error).message;
  }
}

const drawn = new Map<string, Change>();

async function redraw(box: HTMLDivElement, ground: SVGGElement, names: SVGGElement, g: Geometry, signal: AbortSignal, afresh: boolean): Promise<void> {
  const now = draft.value;
  const stale = g.boards.filter((b) => afresh || !drawn.has(b.name) || touched(drawn.get(b.name)!, now).some((h) => g.board(h) === b));
  drawing.value = stale.length > 0;
  try {
    for (const b of stale) {
      const response = await fetch(`/api/editor/${game.value}/map/${b.name}/${palette.value}.svg`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ map: sent(now) }),
        signal,
      });
      if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
      layDown(box, ground, names, g, b, await response.text());
      drawn.set(b.name, now);
    }
    box.dataset.land = "ready";
    box.dataset.drawn = JSON.stringify(sent(now));
    drawing.value = false;
  } catch (e) {
    if (!signal.aborted) bad.value = `The map could not be drawn: ${(e as Error).message}`;
  }
}

// Keeping ---------------------------------------------------------------------------------------

function take(from: Kept | null, map: Partial<Change>): void {
  kept.value = from;
  name.value = from?.name ?? name.value;
  stored.value = from ? JSON.stringify(sent(whole(map))) : "{}";
  past.value = [];
  future.value = [];
  draft.value = whole(map);
}

async function load(which: string): Promise<void> {
  bad.value = "";
  try {
    const found = await get<Kept>(`/api/editor/${game.value}/kept/${which}`);
    take(found, found.map);
    note.value = `${which} loaded`;
  } catch (e) {
    bad.value = (e as Error).message;
  }
}

async function readFile(file: File | undefined): Promise<void> {
  if (!file) return;
  bad.value = "";
  try {
    const response = await fetch(`/api/editor/${game.value}/read`, { method: "POST", body: file });
    const value = (await response.json()) as { map: Partial<Change>; message: string };
    if (!response.ok) throw new Error(value.message);
    become(whole(value.map));
    note.value = `${file.name} read`;
  } catch (e) {
    bad.value = `${file.name}: ${(e as Error).message}`;
  }
}

async function save(): Promise<boolean> {
  bad.value = "";
  const wanted = name.value.trim();
  try {
    const was = kept.value?.name === wanted ? kept.value.mark : "";
    const done = await post<Kept>(`/api/editor/${game.value}/kept`, { name: wanted, map: sent(draft.value), was });
    kept.value = done;
    draft.value = whole(done.map);
    stored.value = JSON.stringify(sent(whole(done.map)));
    if (land.value && !land.value.kept.includes(done.name)) land.value = { ...land.value, kept: [...land.value.kept, done.name].sort() };
    note.value = `Saved in ${done.folder}`;
    return true;
  } catch (e) {
    bad.value = (e as Error).message;
    return false;
  }
}

/** Delete the corrections that are loaded; they stay on the screen as a draft. */
async function forget(): Promise<void> {
  const k = kept.value;
  if (!k) return;
  bad.value = "";
  try {
    const value = await send<{ kept: string[] }>("DELETE", `/api/editor/${game.value}/kept/${k.name}?was=${k.mark}`);
    if (land.value) land.value = { ...land.value, kept: value.kept };
    kept.value = null;
    stored.value = "{}";
    note.value = `${k.name} deleted; what is on the screen stays as a draft`;
  } catch (e) {
    bad.value = (e as Error).message;
  }
}

async function downloadAll(): Promise<void> {
  bad.value = "";
  const called = name.value.trim() || "corrections";
  try {
    const response = await fetch(`/api/editor/${game.value}/packed`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ map: sent(draft.value), name: called }),
    });
    if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
    download(`${game.value}-${called}.zip`, await response.blob());
  } catch (e) {
    bad.value = (e as Error).message;
  }
}

/** To the front page, with these corrections chosen. Where nothing is kept, the browser carries them over. */
async function play(): Promise<void> {
  if (land.value?.keeps) {
    if ((dirty.value || !kept.value) && !(await save())) return;
    location.href = `/?map=${encodeURIComponent(kept.value!.name)}#${game.value}`;
  } else {
    sessionStorage.setItem(`corrections ${game.value}`, JSON.stringify(sent(draft.value)));
    location.href = `/?map=*#${game.value}`;
  }
}

// The map ---------------------------------------------------------------------------------------

/** The hex at a point and the neighbour across its nearest side. */
function spotAt(g: Geometry, p: Point): Spot | null {
  const hex = g.at(p.x, p.y);
  if (!hex) return null;
  const corners = g.corners(hex);
  const around = g.neighbours(hex);
  let beyond: string | undefined;
  let least = Infinity;
  around.forEach((other, i) => {
    const [a, b] = [corners[i]!, corners[(i + 1) % 6]!];
    const d = Math.hypot((a.x + b.x) / 2 - p.x, (a.y + b.y) / 2 - p.y);
    if (other && d < least) {
      least = d;
      beyond = other;
    }
  });
  return { hex, beyond };
}

function edge(g: Geometry, key: string): [Point, Point] | undefined {
  const [a = "", b = ""] = key.split("/");
  const i = g.neighbours(a).indexOf(b);
  const corners = g.corners(a);
  return i < 0 ? undefined : [corners[i]!, corners[(i + 1) % 6]!];
}

function Edge({ g, at, tone }: { g: Geometry; at: string; tone: string }) {
  const line = edge(g, at);
  return line ? <path class={tone} d={`M${line[0].x} ${line[0].y}L${line[1].x} ${line[1].y}`} /> : null;
}

/** What is corrected, and where the pointer and the keys are. */
function Marks({ g }: { g: Geometry }) {
  const c = draft.value;
  const hexes = new Set([...Object.keys(c.hexes), ...Object.keys(c.places), ...Object.keys(c.names)]);
  const at = spot.value;
  const near = hover.value;
  return (
    <g class="corrected">
      {[...hexes].map((h) => (
        <polygon key={h} data-corrected={h} points={g.polygon(h, 5)} />
      ))}
      {Object.keys(c.hexsides).map((key) => (
        <g key={key} data-corrected={key}>
          <Edge g={g} at={key} tone="side" />
        </g>
      ))}
      {near && (sideTool.value && near.beyond ? <Edge g={g} at={`${near.hex}/${near.beyond}`} tone="near" /> : <polygon class="near" points={g.polygon(near.hex, 2)} />)}
      {at && <polygon class={sideTool.value ? "here faint" : "here"} points={g.polygon(at.hex, 3)} />}
      {at?.beyond && sideTool.value && <Edge g={g} at={`${at.hex}/${at.beyond}`} tone="here" />}
    </g>
  );
}

function MapBox() {
  const g = geometry.value;
  const colours = palette.value;
  const first = useRef("");
  const { box, world, land: ground, names } = useMap(g, () => fit(g?.boards[0]?.name, 0));
  useEffect(() => {
    if (!g || !box.current || !ground.current || !names.current) return;
    const stop = new AbortController();
    const [b, l, n] = [box.current, ground.current, names.current];
    const afresh = first.current !== colours;
    first.current = colours;
    const timer = setTimeout(() => void redraw(b, l, n, g, stop.signal, afresh), afresh ? 0 : 180);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [g, colours, draft.value]);
  return (
    <div
      ref={box}
      class="map"
      tabIndex={0}
      role="application"
      aria-label="Map. Arrow keys step from hex to hex, brackets turn to the next side of the hex, Enter uses the tool, Delete takes a correction back, U undoes."
      onClick={(event) => {
        const at = g && box.current ? spotAt(g, pointAt(box.current, event)) : null;
        if (at) use(at);
      }}
      onPointerMove={(event) => {
        if (event.buttons || !g || !box.current) return;
        hover.value = spotAt(g, pointAt(box.current, event));
      }}
      onPointerLeave={() => {
        hover.value = null;
      }}
    >
      {g && (
        <div ref={world} class="world" style={{ width: `${g.width}px`, height: `${g.tall}px` }} aria-hidden="true">
          <svg class="ground" width={g.width} height={g.tall} viewBox={`0 0 ${g.width} ${g.tall}`}>
            <g ref={ground} class="land" />
          </svg>
          <svg class="pieces" width={g.width} height={g.tall} viewBox={`0 0 ${g.width} ${g.tall}`}>
            <g ref={names} class="town-names" />
            <Marks g={g} />
          </svg>
        </div>
      )}
    </div>
  );
}

// Keys ------------------------------------------------------------------------------------------

const DIRECTIONS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function goTo(text: string): boolean {
  const g = geometry.value;
  const [hex = "", beyond] = text.trim().split(/[/\s]+/);
  if (!g?.has(hex)) return false;
  const around = g.neighbours(hex).filter((n): n is string => !!n);
  spot.value = { hex, beyond: beyond && around.includes(beyond) ? beyond : around[0] };
  centreOn(hex, false);
  note.value = inWords(spot.value);
  return true;
}

function turn(by: number): void {
  const g = geometry.value;
  const at = spot.value;
  if (!g || !at) return;
  const around = g.neighbours(at.hex).filter((n): n is string => !!n);
  const now = at.beyond ? around.indexOf(at.beyond) : 0;
  spot.value = { hex: at.hex, beyond: around[(now + by + around.length) % around.length] };
  note.value = inWords(spot.value);
}

function pressed(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== "radio";
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (typing || event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") event.shiftKey ? redo() : undo();
    else if (key === "y") redo();
    else if (key === "s" && land.value?.keeps) void save();
    else return;
    event.preventDefault();
    return;
  }
  const g = geometry.value;
  const onMap = !!target.closest(".map") || target === document.body;
  const at = spot.value;
  const way = DIRECTIONS[key];
  if (way && onMap && g) {
    const next = at ? g.step(at.hex, ...way) : g.numbers[0];
    if (next) goTo(next);
  } else if ((key === "Enter" || key === " ") && onMap) {
    if (at) use(at);
  } else if (key === "Delete" || key === "Backspace") {
    if (at && land.value) become(applied(land.value, draft.value, { kind: "erase", word: "" }, sideTool.value ? at : { hex: at.hex, beyond: undefined }));
  } else if (key === "]") turn(1);
  else if (key === "[") turn(-1);
  else if (key === "u") event.shiftKey ? redo() : undo();
  else if (key === "/") document.getElementById("goto")?.focus();
  else if (key === "+" || key === "=") zoomBy(1.35);
  else if (key === "-") zoomBy(1 / 1.35);
  else if (key === "0") fit();
  else return;
  event.preventDefault();
}

// Panels ----------------------------------------------------------------------------------------

function Choice({ kind, w }: { kind: Tool["kind"]; w: Word }) {
  const on = tool.value.kind === kind && tool.value.word === w.word;
  return (
    <label class={`toggle${on ? " on" : ""}`} title={w.text}>
      <input type="radio" name="tool" checked={on} data-tool={`${kind} ${w.word}`.trim()} onChange={() => (tool.value = { kind, word: w.word })} />
      {w.title}
    </label>
  );
}

function Tools({ l }: { l: Land }) {
  const groups: [string, Tool["kind"], Word[]][] = [
    ["Terrain of a hex", "terrain", l.terrain],
    ["On a hexside", "side", l.hexsides],
    ["Places and marks", "place", l.places],
  ];
  return (
    <div class="card toolbox" role="radiogroup" aria-label="Tools">
      <Choice kind="look" w={{ word: "", title: "Look", text: "Only look, change nothing" }} />
      <Choice kind="erase" w={{ word: "", title: "Take back", text: "As our map has it" }} />
      {groups.map(([title, kind, list]) => (
        <fieldset key={kind}>
          <legend class="h">{title}</legend>
          {list.map((w) => (
            <Choice key={w.word} kind={kind} w={w} />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

function Source({ l, at }: { l: Land; at: string }) {
  const c = draft.value;
  const mine = at in c.hexes || at in c.hexsides || at in c.places || at in c.names;
  return (
    <ul class="sources">
      {mine && (
        <li class="mine">
          Your correction.{" "}
          <button type="button" class="quiet" onClick={() => become(erased(c, at))}>
            Take back
          </button>
        </li>
      )}
      {(l.sources[at] ?? ["nothing of note on our map"]).map((text) => (
        <li key={text}>
          {mine && "Before: "}
          {text}
        </li>
      ))}
    </ul>
  );
}

function Field({ label, value, onSet, disabled, id }: { label: string; value: string; onSet: (text: string) => void; disabled?: boolean; id: string }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input id={id} value={value} maxLength={120} disabled={disabled} onChange={(e) => onSet(e.currentTarget.value.trim())} />
    </label>
  );
}

function Inspector({ l }: { l: Land }) {
  const at = spot.value;
  const c = draft.value;
  if (!at)
    return (
      <section>
        <h2>Nothing chosen yet</h2>
        <p class="note">Choose a tool on the left and click a hex, or a side of a hex. By keys: arrows to a hex, brackets to a side, Enter to use the tool.</p>
      </section>
    );
  const there = hexAt(l, c, at.hex);
  const key = at.beyond ? sideKey(at.hex, at.beyond) : "";
  const about = sideTool.value && key ? key : at.hex;
  const listed = about in c.hexes || about in c.hexsides || about in c.places || about in c.names;
  return (
    <section aria-label="What is here" data-spot={about}>
      <header>
        <h2>{sideTool.value && key ? `Hexside ${key}` : [there.name, at.hex].filter(Boolean).join(" ")}</h2>
      </header>
      {sideTool.value && key ? (
        <ul class="facts">
          {(sidesAt(l, c, key).length ? sidesAt(l, c, key) : ["plain"]).map((w) => (
            <li key={w}>{l.hexsides.find((x) => x.word === w)?.title ?? w}</li>
          ))}
        </ul>
      ) : (
        <ul class="facts">
          {[...l.terrain.filter((w) => w.word === there.terrain), ...l.places.filter((w) => there.places.includes(w.word))].map((w) => (
            <li key={w.word} title={w.text}>
              {w.title}
            </li>
          ))}
        </ul>
      )}
      <Source l={l} at={about} />
      {!(sideTool.value && key) && <Field key={`name ${at.hex}`} id="hex-name" label="Name on the map" value={there.name} onSet={(text) => become(setName(l, c, at.hex, text))} />}
      <Field
        key={`why ${about}`}
        id="remark"
        label="How do you know? (goes with the correction)"
        value={c.why[about] ?? ""}
        disabled={!listed}
        onSet={(text) => become(setWhy(c, about, text))}
      />
    </section>
  );
}

function Changes() {
  return (
    <section aria-label="Corrections">
      <header>
        <h2>{words.value.length ? `${words.value.length} ${words.value.length === 1 ? "correction" : "corrections"}` : "No corrections yet"}</h2>
        {drawing.value && <i class="spin" role="img" aria-label="The map is being drawn" />}
      </header>
      {problems.value.length > 0 && (
        <ul class="problems" role="alert">
          {problems.value.map((p) => (
            <li key={p.path + p.message}>
              <span class="mono">{p.path}</span> {p.message}
            </li>
          ))}
        </ul>
      )}
      <ul class="changes">
        {words.value.map((text) => {
          const found = /^map\.yaml: (\S+) (.*)$/s.exec(text);
          const key = found?.[1] ?? "";
          return (
            <li key={text}>
              {found ? (
                <>
                  <button type="button" class="hexlink" onClick={() => goTo(key)}>
                    {key}
                  </button>{" "}
                  {found[2]}{" "}
                  <button type="button" class="quiet" aria-label={`Take back ${key}`} onClick={() => become(erased(draft.value, key))}>
                    take back
                  </button>
                </>
              ) : (
                text
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Keeping({ l }: { l: Land }) {
  return (
    <section class="keeping" aria-label="Keep and play">
      {l.keeps && (
        <form
          onSubmit={(e) => {
            e.preventDefault();
            void save();
          }}
        >
          <label class="field">
            <span>Save as</span>
            <input
              id="save-name"
              value={name.value}
              maxLength={40}
              pattern="[a-z0-9][a-z0-9\-]*"
              placeholder="my-copy"
              title="small letters, digits and hyphens"
              onInput={(e) => (name.value = e.currentTarget.value)}
            />
          </label>
          <button type="submit" class="btn go" disabled={!name.value.trim()}>
            Save <kbd>Ctrl S</kbd>
          </button>
        </form>
      )}
      <div class="acts wrap small">
        {l.keeps && l.kept.length > 0 && (
          <select aria-label="Load saved corrections" value="" onChange={(e) => e.currentTarget.value && void load(e.currentTarget.value)}>
            <option value="">Load …</option>
            {l.kept.map((k) => (
              <option key={k} value={k}>
                {k}
              </option>
            ))}
          </select>
        )}
        {l.keeps && kept.value && (
          <Sure
            label={`Delete ${kept.value.name}`}
            question={`Delete the saved corrections ${kept.value.name}? What is on the screen stays as a draft.`}
            yes="Yes, delete them"
            act={forget}
          />
        )}
        <label class="btn file">
          Open a file
          <input type="file" class="sr" accept=".yaml,.yml,.zip" onChange={(e) => void readFile(e.currentTarget.files?.[0])} />
        </label>
        <button type="button" class="btn" onClick={() => void downloadAll()}>
          Download
        </button>
        {l.given && (
          <button type="button" class="btn" onClick={() => become(whole(l.given))}>
            Those given at start
          </button>
        )}
        <button type="button" class="btn" disabled={!words.value.length && !problems.value.length} onClick={() => become(NOTHING)}>
          Take all back
        </button>
      </div>
      <button type="button" class="btn commit" disabled={problems.value.length > 0 || !words.value.length || (l.keeps && !name.value.trim())} onClick={() => void play()}>
        Play on this map
      </button>
      {kept.value?.others.length ? <p class="note">This folder also corrects {kept.value.others.join(", ")}; the editor leaves that as it is.</p> : null}
      {!l.keeps && <p class="note">Nothing is kept on this server. Download your corrections to have them again.</p>}
      {bad.value && (
        <p class="bad" role="alert">
          {bad.value}
        </p>
      )}
    </section>
  );
}

function Bar({ l }: { l: Land }) {
  const t = shortTitle(l.title, game.value);
  return (
    <header class="top">
      <Brand />
      <h1 class="sr">Correct the map of {t.name}</h1>
      <div class="title">
        <b>
          Correct the map: {t.name}
          {t.year && `, ${t.year}`}
        </b>
        <i>{kept.value ? `${kept.value.name}${dirty.value ? ", not saved" : ""}` : dirty.value ? "a draft, kept by this browser" : "as it comes"}</i>
      </div>
      <form
        class="goto"
        onSubmit={(e) => {
          e.preventDefault();
          const input = e.currentTarget.querySelector("input")!;
          if (!goTo(input.value)) note.value = `There is no hex ${input.value}`;
          else document.querySelector<HTMLElement>(".map")?.focus();
        }}
      >
        <label>
          <span class="sr">Go to a hex or hexside</span>
          <input id="goto" placeholder="Hex, or hex/hex" autocomplete="off" />
        </label>
      </form>
      <button type="button" class="btn" disabled={!past.value.length} onClick={undo}>
        <span aria-hidden="true">↶</span> Undo <kbd>U</kbd>
      </button>
      <button type="button" class="btn" disabled={!future.value.length} onClick={redo}>
        <span aria-hidden="true">↷</span> Redo
      </button>
    </header>
  );
}

async function arrive(id: string): Promise<void> {
  game.value = id;
  try {
    const [ground, found] = await Promise.all([get<Ground>(`/api/games/${id}/map.json`), get<Land>(`/api/editor/${id}`)]);
    geometry.value = new Geometry(ground);
    const left = localStorage.getItem(DRAFT());
    land.value = found;
    const wish = new URLSearchParams(location.search).get("map");
    if (wish && found.kept.includes(wish)) await load(wish);
    else if (left) {
      become(whole(JSON.parse(left) as Partial<Change>));
      note.value = "Your unsaved corrections are back; Undo removes them.";
    }
  } catch (e) {
    trouble.value = (e as Error).message;
  }
}

export function EditorPage({ game: id }: { game: string }) {
  useEffect(() => {
    void arrive(id);
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [id]);
  useEffect(() => {
    if (land.value) void check();
  }, [draft.value, land.value === null, kept.value?.name]);
  const l = land.value;
  if (trouble.value) return <NotHere why={trouble.value} />;
  return (
    <div class="table editor" data-changes={words.value.length} data-dirty={dirty.value}>
      {l && (
        <>
          <Bar l={l} />
          <main>
            <MapBox />
            <Tools l={l} />
            <p class="card said" role="status">
              {note.value}
            </p>
          </main>
          <aside class="rail" aria-label="Corrections and saving">
            <Inspector l={l} />
            <Changes />
            <Keeping l={l} />
          </aside>
        </>
      )}
    </div>
  );
}
