// What is drawn over the land: reach, zones, supply, threats, markers, offers, arrows, rings.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Die, moment } from "../fight/moment";
import { guided } from "../guide/guide";
import { trailed } from "../replay/since";
import { choices, focused, hovered, known, looked, selected, slip, tracked, ways, weighed } from "../selection/state";
import { counters, live, log, past, pointed, shown, stacks, yours } from "../table/state";
import type { Marker } from "../wire";
import { roleOf } from "../words/orders";
import { CaseLink } from "../words/pieces";
import { fraction, printed } from "../words/text";
import type { Geometry, Point } from "./geometry";
import { layers, lines, threats, trails, zones } from "./layers";
import { frame, overview } from "./view";

export function Zones({ g }: { g: Geometry }) {
  const on = layers.value.zoc && !past.value;
  if (!on) return null;
  return (
    <g class="zones">
      {Object.entries(zones.value).map(([side, hexes]) => (
        <path key={side} class={`zone ${side}`} d={g.contour(hexes)} />
      ))}
    </g>
  );
}

export function Reach({ g }: { g: Geometry }) {
  const by = ways.value;
  if (!layers.value.reach || !by.size || past.value) return null;
  const reach = choices.value?.reach ?? {};
  const start = counters.value.get(selected.value[0] ?? "");
  const foe = new Set(Object.entries(zones.value).flatMap(([side, hexes]) => (side === start?.side ? [] : hexes)));
  const hexes = [...by.keys()];
  const path = g.contour(start?.hex ? [...hexes, start.hex] : hexes);
  return (
    <g class="reach">
      <path class="reach-land" d={path} />
      <path class="reach-glow" d={path} />
      <path class="reach-edge" d={path} />
      {hexes.map((hex) => {
        const p = g.centre(hex);
        const fight = by.get(hex)?.some((o) => choices.value?.weighed.includes(o.verb));
        if (!p) return null;
        if (fight) return <polygon key={hex} data-way={hex} class="target-hex" points={g.polygon(hex, 5)} />;
        const left = reach[hex]?.[0];
        if (left === undefined) return <circle key={hex} data-way={hex} class="reach-dot" cx={p.x} cy={p.y} r={7} />;
        return (
          <g key={hex} data-way={hex} transform={`translate(${p.x} ${p.y})`} class="points">
            {foe.has(hex) && <rect x={-17} y={-17} width={34} height={34} transform="rotate(45)" class="halt" />}
            <text y={10}>{fraction(left)}</text>
          </g>
        );
      })}
    </g>
  );
}

export function Supply({ g }: { g: Geometry }) {
  if (!layers.value.supply || past.value) return null;
  const one = selected.value[0];
  const drawn = Object.entries(lines.value).filter(([unit, t]) => (one ? unit === one : true) && (t.path.length > 1 || !t.supplied));
  return (
    <g class="supply">
      {drawn.map(([unit, t]) => {
        const points = t.path.map((h) => g.centre(h)).filter((p): p is Point => !!p);
        const cut = t.cut ? g.centre(t.cut) : undefined;
        const at = g.centre(counters.value.get(unit)?.hex ?? "");
        return (
          <g key={unit}>
            {points.length > 1 && t.supplied && <polyline points={points.map((p) => `${p.x},${p.y}`).join(" ")} />}
            {!t.supplied && at && <circle cx={at.x} cy={at.y} r={42} class="cut" />}
            {!t.supplied && cut && (
              <g transform={`translate(${cut.x} ${cut.y})`}>
                <path class="cut-mark" d="M-10-10 10 10M10-10-10 10" />
              </g>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** The best odds that the enemy could bring against each stack from where he stands. */
export function Threat({ g }: { g: Geometry }) {
  if (!layers.value.threat || past.value) return null;
  return (
    <g class="threat">
      {Object.entries(threats.value).flatMap(([hex, t]) => {
        const p = g.centre(hex);
        if (!p || !stacks.value.has(hex)) return [];
        const wide = Math.max(30, 11 + 8 * t.column.length);
        return [
          <g key={hex} data-threat={hex} transform={`translate(${p.x} ${p.y})`} style={{ opacity: 0.55 + 0.45 * t.hurt }}>
            <circle r={44} />
            <g transform="translate(0 43)">
              <rect x={-wide / 2} y={-11} width={wide} height={22} rx={11} class="count" />
              <text y={5}>{t.column}</text>
            </g>
          </g>,
        ];
      })}
    </g>
  );
}

export function Markers({ g }: { g: Geometry }) {
  const markers = (shown.value?.table.markers ?? []).filter((m) => layers.value.control || !m.kind.includes("control"));
  return (
    <g class="markers">
      {markers.map((m) => {
        const p = g.centre(m.hex);
        return p ? <MarkerShape key={`${m.hex} ${m.kind} ${m.side ?? ""}`} marker={m} p={p} polygon={g.polygon(m.hex, 9)} /> : null;
      })}
    </g>
  );
}

function MarkerShape({ marker, p, polygon }: { marker: Marker; p: Point; polygon: string }) {
  if (marker.kind.includes("fort"))
    return (
      <path class={`fort ${marker.side ?? ""}`} transform={`translate(${p.x} ${p.y})`} d="M-38-38h13l5 7h40l5-7h13v13l-7 5v40l7 5v13h-13l-5-7h-40l-5 7h-13v-13l7-5v-40l-7-5z" />
    );
  if (marker.kind.includes("control"))
    return (
      <g transform={`translate(${p.x} ${p.y + 38})`} class={`control ${marker.side ?? ""}`}>
        <rect x={-9} y={-8} width={18} height={16} rx={4} />
      </g>
    );
  if (marker.kind.includes("interdict") || marker.kind.includes("rubble"))
    return (
      <g class={`mark-hex ${marker.side ?? ""}`}>
        <polygon points={polygon} />
        <text x={p.x} y={p.y + 40}>
          {marker.label || marker.kind}
        </text>
      </g>
    );
  return (
    <g transform={`translate(${p.x + 30} ${p.y + 30})`} class={`chit ${marker.side ?? ""}`}>
      <rect x={-17} y={-10} width={34} height={20} rx={4} />
      <text y={5}>{(marker.label || marker.kind).slice(0, 6)}</text>
    </g>
  );
}

export function Offered({ g }: { g: Geometry }) {
  if (!yours.value) return null;
  const hexes = Object.entries(live.value?.offers.hexes ?? {});
  const kind = (orders: string[]): string => (orders.some((o) => roleOf(o) === "aim") ? "aim" : "open");
  // Many empty hexes are one lit area, so that those with somebody in them still stand out.
  const empty = hexes.flatMap(([hex]) => (stacks.value.has(hex) ? [] : hex));
  const broad = empty.length > 16 ? kind(hexes.find(([hex]) => hex === empty[0])![1]) : "";
  return (
    <g class="offered">
      {broad && <path class={`${broad} broad`} d={g.contour(empty)} />}
      {hexes.map(([hex, orders]) => (
        <polygon key={hex} data-offer={hex} class={`${kind(orders)}${broad && !stacks.value.has(hex) ? " one" : ""}`} points={g.polygon(hex, 4)} />
      ))}
    </g>
  );
}

export function Arrows({ g }: { g: Geometry }) {
  const hex = hovered.value ?? focused.value;
  const going = hex && !past.value ? ways.value.get(hex) : undefined;
  const start = counters.value.get(selected.value[0] ?? "")?.hex;
  const way = hex ? choices.value?.reach[hex] : undefined;
  const path = going?.length ? (way?.[2]?.length ? way[2] : going[0]!.hexes) : [];
  const whole = start && path.length && path[0] !== start ? [start, ...path] : path;
  const points = whole.map((h) => g.centre(h)).filter((p): p is Point => !!p);
  const fight = going?.some((o) => choices.value?.weighed.includes(o.verb));
  const tone = fight ? "ox" : "teal";
  const blow = useBlow(g);
  const ways_ = new Map(trails.value.map(({ path }) => [path.join(), path]));
  return (
    <g class="arrows">
      {[...ways_].map(([key, hexes]) => {
        const line = hexes
          .flatMap((h) => g.centre(h) ?? [])
          .map((p) => `${p.x},${p.y}`)
          .join(" ");
        return <polyline key={key} class="went" points={line} marker-end="url(#tip-mute)" />;
      })}
      {blow.map(({ a, b, key }) => (
        <g key={key}>
          <path class="casing" d={`M${a.x} ${a.y}L${b.x} ${b.y}`} />
          <path class="blow" d={`M${a.x} ${a.y}L${b.x} ${b.y}`} marker-end="url(#tip-ox)" />
        </g>
      ))}
      {points.length > 1 && (
        <>
          <polyline class="casing" points={points.map((p) => `${p.x},${p.y}`).join(" ")} />
          <polyline class={`path ${tone}`} points={points.map((p) => `${p.x},${p.y}`).join(" ")} marker-end={`url(#tip-${tone})`} />
        </>
      )}
    </g>
  );
}

/** The hex that the weighed attack strikes, or that was just fought over. */
function struck(g: Geometry): string | undefined {
  const hexes = weighed.value?.explanation.hexes ?? moment.value?.hexes ?? [];
  return hexes.findLast((h) => g.has(h));
}

/** Arrows from the attackers to what they strike. */
function useBlow(g: Geometry): { a: Point; b: Point; key: string }[] {
  const target = struck(g);
  const b = target ? g.centre(target) : undefined;
  if (!b) return [];
  const fighting = weighed.value?.explanation.units ?? moment.value?.attackers ?? [];
  const from = new Set(fighting.map((c) => c.hex ?? ""));
  return [...from].flatMap((h) => {
    const a = g.centre(h);
    if (!a || h === target) return [];
    const d = Math.hypot(b.x - a.x, b.y - a.y);
    const [dx, dy] = [(b.x - a.x) / d, (b.y - a.y) / d];
    return [{ a: { x: a.x + 28 * dx, y: a.y + 28 * dy }, b: { x: b.x - 30 * dx, y: b.y - 30 * dy }, key: h }];
  });
}

/** The trails of the other side's whole player-turn, and its fights by their numbers. */
export function Trails({ g }: { g: Geometry }) {
  const d = trailed.value;
  if (!d || !layers.value.moves || selected.value.length) return null;
  const here = past.value?.n;
  return (
    <g class="story">
      {d.ways.map((way, i) => {
        const points = way.path.flatMap((h) => g.centre(h) ?? []);
        if (points.length < 2) return null;
        return (
          <g key={i} class={`told ${way.side}${way.back ? " back" : ""}`}>
            <circle cx={points[0]!.x} cy={points[0]!.y} r={7} />
            <polyline points={points.map((p) => `${p.x},${p.y}`).join(" ")} marker-end={`url(#tip-${way.back ? "mute" : way.side})`} />
          </g>
        );
      })}
      {d.fights.map((f) => {
        const p = g.centre(f.hexes.at(-1) ?? "");
        return (
          p && (
            <g key={f.n} class={`disc ${f.side}${f.n === here ? " here" : ""}`} transform={`translate(${p.x + 30} ${p.y + 30})`}>
              <circle r={13} />
              <text y={5.5}>{f.number}</text>
            </g>
          )
        );
      })}
    </g>
  );
}

/** How far the command or the fire of the units in hand reaches. */
export function Extents({ g }: { g: Geometry }) {
  if (!layers.value.extent || past.value) return null;
  const hex = looked.value;
  const found = Object.entries((hex && known.value.get(hex)?.extent) || {});
  const chosen = found.filter(([unit]) => selected.value.includes(unit));
  const drawn = chosen.length ? chosen : found.slice(0, 1);
  return (
    <g class="extents">
      {drawn.map(([unit, e]) => (
        <g key={unit} data-extent={unit} class={e.kind}>
          {e.beyond.length > 0 && <path class="beyond" d={g.contour([...e.hexes, ...e.beyond])} />}
          <path d={g.contour(e.hexes)} />
        </g>
      ))}
    </g>
  );
}

/** How far it is from the hex in hand to the one pointed at. */
export function Ruler({ g }: { g: Geometry }) {
  const from = looked.value;
  const to = hovered.value ?? focused.value;
  const a = from ? g.centre(from) : undefined;
  const b = to ? g.centre(to) : undefined;
  if (!layers.value.ruler || !a || !b || from === to) return null;
  const hexes = g.distance(from!, to!);
  const km = g.board(from!)?.km ?? 0;
  const cost = choices.value?.reach[to!]?.[1];
  const words = `${hexes} hex${hexes === 1 ? "" : "es"}${km ? ` · ${Math.round(hexes * km * 10) / 10} km` : ""}${cost ? ` · ${fraction(cost)} points` : ""}`;
  const wide = 16 + 8.2 * words.length;
  return (
    <g class="ruler" data-ruler={hexes}>
      <path d={`M${a.x} ${a.y}L${b.x} ${b.y}`} />
      <g transform={`translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2})`}>
        <rect x={-wide / 2} y={-15} width={wide} height={30} rx={8} />
        <text y={6}>{words}</text>
      </g>
    </g>
  );
}

/** The way of one unit through the whole game, with the turns in which it stood still at the end. */
export function Way({ g }: { g: Geometry }) {
  const unit = tracked.value;
  if (!unit) return null;
  const steps = log.value.flatMap((e) => e.moved.filter(([id]) => id === unit).map(([, from, to]) => ({ from, to, turn: e.turn })));
  if (!steps.length) return null;
  const points = [steps[0]!.from, ...steps.map((s) => s.to)].flatMap((h) => g.centre(h) ?? []);
  const last = new Map(steps.map((s) => [s.turn, s.to]));
  return (
    <g class="way" data-way-of={unit}>
      <polyline points={points.map((p) => `${p.x},${p.y}`).join(" ")} marker-end="url(#tip-teal)" />
      {[...last].map(([turn, hex]) => {
        const p = g.centre(hex);
        return (
          p && (
            <g key={turn} transform={`translate(${p.x - 30} ${p.y + 30})`}>
              <circle r={12} />
              <text y={5}>{turn}</text>
            </g>
          )
        );
      })}
    </g>
  );
}

/** Empty hexes into which units may advance. */
export function Vacant({ g }: { g: Geometry }) {
  if (!yours.value) return null;
  const hexes = new Set((live.value?.offers.due ?? []).filter((o) => roleOf(o.text) === "advance").map((o) => o.hexes.at(-1)!));
  return (
    <g class="vacant">
      {[...hexes].map((hex) => (
        <polygon key={hex} data-vacant={hex} points={g.polygon(hex, 4)} />
      ))}
    </g>
  );
}

/** The die beside the hex that was fought over, for a moment. */
export function DieSlip({ g }: { g: Geometry | null }) {
  const m = moment.value;
  const gone = useSignal(0);
  useEffect(() => {
    if (!m) return;
    const timer = setTimeout(() => (gone.value = m.n), 2400);
    return () => clearTimeout(timer);
  }, [m?.n]);
  const { x, y, k } = overview.value;
  const p = m?.dice.length && gone.value !== m.n ? g?.centre(m.hexes.at(-1) ?? "") : undefined;
  if (!m || !p || !frame) return null;
  const [left, top] = [x + k * p.x, y + k * p.y];
  const room = frame.clientWidth;
  // It lies where it covers nobody who fought, and as few others as can be.
  const fought = new Set([...m.hexes, ...m.attackers.map((c) => c.hex ?? "")]);
  const [wide, tall] = [196, 78];
  const cost = ([a, b]: [number, number]): number => {
    let sum = a < 4 || b < 4 || a + wide > room - 4 || b + tall > frame!.clientHeight - 4 ? 50 : 0;
    for (const h of new Set([...stacks.value.keys(), ...fought])) {
      const c = g!.centre(h);
      if (!c) continue;
      const [cx, cy] = [x + k * c.x, y + k * c.y];
      const under = cx > a - 34 * k && cx < a + wide + 34 * k && cy > b - 34 * k && cy < b + tall + 34 * k;
      if (under) sum += fought.has(h) ? 10 : 1;
    }
    return sum;
  };
  const far = 58 * k;
  const spots: [number, number][] = [
    [left + far, top - tall / 2],
    [left - far - wide, top - tall / 2],
    [left - wide / 2, top - far - tall],
    [left - wide / 2, top + far],
    [left + far, top - far - tall],
    [left - far - wide, top + far],
  ];
  const [at, above] = spots.reduce((best, spot) => (cost(spot) < cost(best) ? spot : best));
  return (
    <div class="die-slip card" aria-hidden="true" style={{ left: `${at}px`, top: `${above}px` }}>
      <Die face={m.dice.at(-1)!} size={56} />
      <span>
        <b>
          {printed(m.code)}
          {m.column ? ` at ${m.column}` : ""}
        </b>
        <small>{m.title}</small>
      </span>
    </div>
  );
}

export function Rings({ g }: { g: Geometry }) {
  const ring = (hex: string | null | undefined, name: string, inset: number) => (hex && g.has(hex) ? <polygon class={name} points={g.polygon(hex, inset)} /> : null);
  const target = struck(g);
  return (
    <g class="rings">
      {ring(guided.value, "guided", 2)}
      {ring(hovered.value, "hover", 1.5)}
      {ring(looked.value, "looked", 2.5)}
      {ring(target, "target", 3)}
      {ring(pointed.value, "pointed", 2)}
      {ring(focused.value, "focus", 4)}
    </g>
  );
}

/** Why a hex is refused, beside it; it goes along when the map is moved. */
export function Slip({ g }: { g: Geometry | null }) {
  const s = slip.value;
  const { x, y, k } = overview.value;
  const p = s && g ? g.centre(s.hex) : undefined;
  if (!p || !s || !frame) return null;
  const [left, top] = [x + k * p.x, y + k * p.y];
  if (left < 0 || top < 0 || left > frame.clientWidth || top > frame.clientHeight) return null;
  const above = top > 120;
  return (
    <div
      class={`slip${above ? "" : " below"}`}
      role="status"
      style={{ left: `${Math.max(150, Math.min(left, frame.clientWidth - 150))}px`, top: `${above ? top - 52 * k : top + 52 * k}px` }}
    >
      {s.message} <CaseLink number={s.case} />
    </div>
  );
}
