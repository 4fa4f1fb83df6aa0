// At the foot of the map: the hex pointed at, layers, zoom.
import { signal } from "@preact/signals";
import { facts, looked } from "../selection/state";
import { settings } from "../settings/settings";
import { geometry, past, sideName, stacks } from "../table/state";
import { CaseLink, HexLink } from "../words/pieces";
import { landWords, percent } from "../words/text";
import { layers, threats, toggle } from "./layers";
import { fit, zoomBy } from "./view";

export const LAYERS: [string, string, string][] = [
  ["reach", "Reach", "R"],
  ["zoc", "Zones of control", "Z"],
  ["supply", "Supply", "S"],
  ["threat", "Threat", "T"],
  ["moves", "Last enemy moves", "E"],
  ["control", "Control", "Y"],
  ["numbers", "Hex numbers", "X"],
  ["counters", "Counters", "H"],
];

const LAYER_WORDS: Record<string, string> = {
  threat: "The best odds the enemy could bring against each of your stacks from where he stands now, by what you know",
  supply: "Lines of supply, and where they are cut",
  moves: "Where the other side's counters came from",
};

const folded = signal(innerWidth < (1100 * settings.value.text) / 100);

export function Layers() {
  return (
    <div class={`layers card${folded.value ? " folded" : ""}`} role="group" aria-label="Layers">
      <button
        type="button"
        class="h fold"
        aria-expanded={!folded.value}
        onClick={() => {
          folded.value = !folded.value;
        }}
      >
        Layers
      </button>
      {!folded.value &&
        LAYERS.map(([id, label, key]) => (
          <button type="button" key={id} class={`toggle ${layers.value[id] ? "on" : ""}`} aria-pressed={!!layers.value[id]} title={LAYER_WORDS[id]} onClick={() => toggle(id)}>
            <i class={`glyph ${id}`} aria-hidden="true" />
            {label}
            <kbd>{key}</kbd>
          </button>
        ))}
    </div>
  );
}

export function Zoom() {
  const boards = geometry.value?.boards ?? [];
  return (
    <div class="zoom card" role="group" aria-label="Zoom">
      {boards.length > 1 &&
        boards.map((b) => (
          <button type="button" key={b.name} class="board-name" onClick={() => fit(b.name)} title={b.title || b.name}>
            {b.name}
          </button>
        ))}
      <button type="button" aria-label="Zoom in" onClick={() => zoomBy(1.35)}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 10h12M10 4v12" />
        </svg>
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => zoomBy(1 / 1.35)}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 10h12" />
        </svg>
      </button>
      <button type="button" aria-label="Whole map" onClick={() => fit()}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" />
        </svg>
      </button>
    </div>
  );
}

export function Inspector() {
  const hex = looked.value;
  const f = facts.value;
  if (!hex || !f || f.hex !== hex) return null;
  const units = stacks.value.get(hex) ?? [];
  const danger = layers.value.threat && !past.value && units.length ? threats.value[hex] : undefined;
  const bad = Object.entries(f.supply).filter(([, t]) => !t.supplied);
  return (
    <div class="inspector card">
      <b>{hex}</b>
      {f.name && <span class="serif">{f.name}</span>}
      <span>{landWords(f)}</span>
      {units.length > 0 && (
        <span class="mute">
          {units.length} unit{units.length > 1 ? "s" : ""}
        </span>
      )}
      {f.zones.length > 0 && <span class="mute">{f.zones.map(sideName).join(" and ")} ZOC</span>}
      {danger && (
        <span class="bad" title={`${danger.units.join(", ")}: the defender is hurt in ${danger.exact}`}>
          threatened at {danger.column} from where the enemy stands, hurt {percent(danger.hurt)} %
        </span>
      )}
      {bad.length > 0 ? (
        <span class="bad">
          out of supply <CaseLink number={bad[0]![1].case} />
        </span>
      ) : units.length && Object.values(f.supply)[0]?.source ? (
        <span class="mute">
          in supply from <HexLink hex={Object.values(f.supply)[0]!.source} />
        </span>
      ) : null}
    </div>
  );
}
