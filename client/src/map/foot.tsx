// The strip at the foot of the map: the hex pointed at, layers, the key, zoom, the whole map.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { facts, looked } from "../selection/state";
import { ChartView } from "../sheets/charts";
import { geometry, past, rules, sideName, stacks } from "../table/state";
import { CaseLink, HexLink } from "../words/pieces";
import { landWords, percent } from "../words/text";
import { layers, threats, toggle } from "./layers";
import { fit, overview, wholeMap, zoomBy } from "./view";

export const LAYERS: [string, string, string][] = [
  ["reach", "Reach", "R"],
  ["zoc", "Zones of control", "Z"],
  ["supply", "Supply", "S"],
  ["threat", "Threat", "T"],
  ["moves", "Trails of the enemy turn", "E"],
  ["extent", "Command and fire", "I"],
  ["ruler", "Ruler", "Q"],
  ["control", "Control", "Y"],
  ["numbers", "Hex numbers", "X"],
  ["counters", "Counters", "H"],
];

const LAYER_WORDS: Record<string, string> = {
  threat: "The best odds the enemy could bring against each of your stacks from where he stands now, by what you know",
  supply: "Lines of supply, and where they are cut",
  extent: "How far the headquarters or the guns of the hex in hand reach; dotted where they do not see",
  ruler: "How far it is from the hex in hand to the one pointed at",
  moves: "Where the other side's counters came from",
};

/** The card that is open above the strip: layers or the key. */
export const open = signal<"layers" | "key" | null>(null);
export const toggleCard = (which: "layers" | "key"): void => {
  open.value = open.value === which ? null : which;
};

function Layers() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const away = (e: PointerEvent): void => {
      if (!(e.target as HTMLElement).closest(".layers, .foot")) open.value = null;
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, []);
  return (
    <div ref={box} class="layers card" role="group" aria-label="Layers" hidden={open.value !== "layers"}>
      {LAYERS.map(([id, label, key]) => (
        <button type="button" key={id} class={`toggle ${layers.value[id] ? "on" : ""}`} aria-pressed={!!layers.value[id]} title={LAYER_WORDS[id]} onClick={() => toggle(id)}>
          <i class={`glyph ${id}`} aria-hidden="true" />
          {label}
          <kbd>{key}</kbd>
        </button>
      ))}
    </div>
  );
}

const chart = signal("");

/** Terrain key and combat tables at hand, without anything being covered for good. */
function KeyCard() {
  const charts = rules.value?.charts ?? [];
  const wanted = charts.find((c) => c.id === chart.value) ?? charts.find((c) => /terrain/i.test(c.title)) ?? charts[0];
  if (open.value !== "key" || !wanted) return null;
  return (
    <section class="keycard card" aria-label="Key and tables">
      <header>
        <select aria-label="Chart" value={wanted.id} onChange={(e) => (chart.value = e.currentTarget.value)}>
          {charts.map((c) => (
            <option key={c.id} value={c.id}>
              {c.title}
            </option>
          ))}
        </select>
        <button type="button" class="quiet" onClick={() => (open.value = null)}>
          put away <kbd>M</kbd>
        </button>
      </header>
      <ChartView chart={wanted} />
    </section>
  );
}

function Zoom() {
  const boards = geometry.value?.boards ?? [];
  const { k } = overview.value;
  return (
    <div class="zoom" role="group" aria-label="Zoom">
      {boards.length > 1 &&
        boards.map((b) => (
          <button type="button" key={b.name} class="board-name" onClick={() => fit(b.name)} title={b.title || b.name}>
            {b.name}
          </button>
        ))}
      <button type="button" aria-label="Zoom out" onClick={() => zoomBy(1 / 1.35)}>
        −
      </button>
      <span class="cond" aria-hidden="true">
        {Math.round(100 * k)} %
      </span>
      <button type="button" aria-label="Zoom in" onClick={() => zoomBy(1.35)}>
        +
      </button>
      <button type="button" class="whole" onClick={wholeMap}>
        Whole map <kbd>0</kbd>
      </button>
    </div>
  );
}

function Inspector() {
  const hex = looked.value;
  const f = facts.value;
  if (!hex || !f || f.hex !== hex) return <div class="hint mute">Point at a hex to read it here</div>;
  const g = geometry.value;
  const units = stacks.value.get(hex) ?? [];
  const danger = layers.value.threat && !past.value && units.length ? threats.value[hex] : undefined;
  const bad = Object.entries(f.supply).filter(([, t]) => !t.supplied);
  return (
    <div class="inspector">
      <b>{hex}</b>
      {f.name && <span class="serif">{f.name}</span>}
      <span>{landWords(f)}</span>
      {units.length > 0 && (
        <span class="mute">
          {units.length} unit{units.length > 1 ? "s" : ""}
        </span>
      )}
      {f.zones.length > 0 && (
        <span class="mute">
          {f.zones.map(sideName).join(" and ")} zone{f.zones.length > 1 ? "s" : ""}
        </span>
      )}
      {danger && (
        <span class="bad" title={`${danger.units.join(", ")}: the defender is hurt in ${danger.exact}`}>
          threatened at {danger.column} from where the enemy stands, hurt {percent(danger.hurt)} %
        </span>
      )}
      {bad.length > 0 ? (
        <span class="bad">
          out of supply <CaseLink number={bad[0]![1].case} />
        </span>
      ) : units.length && g?.has(Object.values(f.supply)[0]?.source ?? "") ? (
        <span class="mute">
          in supply from <HexLink hex={Object.values(f.supply)[0]!.source} />
        </span>
      ) : null}
    </div>
  );
}

export function Foot() {
  const on = LAYERS.filter(([id]) => layers.value[id]);
  return (
    <>
      <Layers />
      <KeyCard />
      <div class="foot">
        <Inspector />
        <button type="button" class="btn" aria-expanded={open.value === "layers"} onClick={() => toggleCard("layers")}>
          <i class="glyph reach" aria-hidden="true" /> Layers{" "}
          <span class="cond">
            {on.length} of {LAYERS.length}
          </span>{" "}
          <kbd>L</kbd>
        </button>
        <button type="button" class="btn" aria-expanded={open.value === "key"} onClick={() => toggleCard("key")}>
          Key <kbd>M</kbd>
        </button>
        <Zoom />
      </div>
    </>
  );
}
