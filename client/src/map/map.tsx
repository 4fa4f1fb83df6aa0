// The map: land drawn once, overlays and counters above it.
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fetched } from "../net";
import { focused, hovered, look, selected, slip, touch, whyNot } from "../selection/state";
import { palette } from "../settings/settings";
import { takeUp } from "../staff/drag";
import { Pencil } from "../staff/pencil";
import { sheet } from "../staff/state";
import { geometry, shown, stacks, welcome, yours } from "../table/state";
import { Counters } from "./counters";
import { landOf } from "./ground";
import { layers, skip } from "./layers";
import { Arrows, DieSlip, Extents, Markers, Offered, Reach, Rings, Ruler, Slip, Supply, Threat, Trails, Vacant, Way, Zones } from "./overlays";
import { carried, fitFront, layDown, pointAt, standBelow, useMap } from "./view";
import "./map.css";

export function MapView() {
  const g = geometry.value;
  const colours = palette.value;
  const match = welcome.value;
  const sides = match?.game.sides ?? [];
  const { box, world, land, names } = useMap(g, fitFront, !!shown.value);

  useEffect(() => {
    if (!g || !match) return;
    let dropped = false;
    let done = (): void => {};
    const base = match.own_map ? `/api/matches/${match.match}` : `/api/games/${match.game.id}`;
    void Promise.all(g.boards.map(async (b) => ({ b, text: await (await fetched(landOf(base, b.name))).text() }))).then((parts) => {
      if (dropped || !box.current || !land.current || !names.current) return;
      for (const { b, text } of parts) layDown(box.current, land.current, names.current, g, b, text);
      const above = names.current;
      done = effect(() => standBelow(above, g));
      box.current.dataset.land = "ready";
      performance.mark("land");
    });
    return () => {
      dropped = true;
      done();
    };
  }, [g, colours, match?.match]);

  const hexAt = (event: { clientX: number; clientY: number }): string | undefined => {
    if (!box.current || !g) return undefined;
    const { x, y } = pointAt(box.current, event);
    return g.at(x, y);
  };
  const timer = useRef(0);
  const held = useRef(0);

  return (
    <div
      ref={box}
      class="map"
      tabIndex={0}
      role="application"
      aria-label="Map. Arrow keys step from hex to hex, Enter acts, full stop goes to the next unit, K lists all keys."
      aria-describedby="focus-words"
      onClick={(event) => {
        const hex = hexAt(event);
        if (hex) {
          focused.value = hex;
          void touch(hex);
        }
      }}
      onPointerMove={(event) => {
        if (event.pointerType === "touch" || event.buttons) return;
        const hex = hexAt(event) ?? null;
        if (hovered.value === hex) return;
        hovered.value = hex;
        slip.value = null;
        clearTimeout(timer.current);
        if (hex) timer.current = window.setTimeout(() => void hoverRest(hex), 170);
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current);
        hovered.value = null;
      }}
      onPointerDown={(event) => {
        skip();
        const under = sheet.value ? hexAt(event) : undefined;
        const top = under ? (stacks.value.get(under) ?? []) : [];
        const chosen = selected.value.filter((u) => top.some((c) => c.id === u));
        if (top.length) carried.value = takeUp(event, chosen.length ? chosen : [top.at(-1)!.id]);
        if (event.pointerType !== "touch") return;
        const hex = hexAt(event);
        clearTimeout(held.current);
        held.current = window.setTimeout(() => hex && void hoverRest(hex), 550);
      }}
      onPointerUp={() => clearTimeout(held.current)}
    >
      {g && (
        <div ref={world} class="world" style={{ width: `${g.width}px`, height: `${g.tall}px` }} aria-hidden="true">
          <svg class="ground" width={g.width} height={g.tall} viewBox={`0 0 ${g.width} ${g.tall}`}>
            <g ref={land} class={layers.value.numbers ? "land" : "land plain"} />
          </svg>
          <svg class="pieces" width={g.width} height={g.tall} viewBox={`0 0 ${g.width} ${g.tall}`}>
            <defs>
              <pattern id="stripes" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="3.4" height="7" fill="currentColor" />
              </pattern>
              {["teal", "ox", "mute", "pencil", ...sides].map((c) => (
                <marker key={c} id={`tip-${c}`} class={c} viewBox="0 0 10 10" refX="6.5" refY="5" markerWidth="4.4" markerHeight="4.4" orient="auto">
                  <path d="M0 0.600 10 5 0 9.400z" fill={sides.includes(c) ? "var(--side)" : `var(--${c})`} />
                </marker>
              ))}
            </defs>
            <Extents g={g} />
            <Zones g={g} />
            <Reach g={g} />
            <Supply g={g} />
            <Markers g={g} />
            <Threat g={g} />
            <Offered g={g} />
            <Vacant g={g} />
            <Trails g={g} />
            <Way g={g} />
            {layers.value.counters && <Counters g={g} />}
            <Pencil g={g} />
            <Arrows g={g} />
            <Ruler g={g} />
            <g ref={names} class="town-names" />
            <Rings g={g} />
          </svg>
        </div>
      )}
      <Slip g={g} />
      <DieSlip g={g} />
      <span id="focus-words" class="sr" />
    </div>
  );
}

async function hoverRest(hex: string): Promise<void> {
  void look(hex);
  if (selected.value.length && yours.value) await whyNot(hex);
}
