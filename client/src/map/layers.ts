// Overlays of the whole map, and the ways of the counters that moved last.
import { signal } from "@preact/signals";
import { ask } from "../table/line";
import { announce, live } from "../table/state";
import type { State, Threat, Trace, Trail } from "../wire";

export const layers = signal<Record<string, boolean>>({
  reach: true,
  zoc: false,
  supply: false,
  threat: false,
  control: true,
  moves: true,
  extent: true,
  ruler: false,
  numbers: true,
  counters: true,
});

export const zones = signal<Record<string, string[]>>({});
export const lines = signal<Record<string, Trace>>({});
export const threats = signal<Record<string, Threat>>({});

/** The ways of the counters that moved last, drawn for a moment. */
export const trails = signal<Trail[]>([]);

let fading = 0;

/** Show for a moment how the counters went that moved last. */
export function march(state: State): void {
  trails.value = state.trail;
  clearTimeout(fading);
  if (state.trail.length)
    fading = window.setTimeout(() => {
      trails.value = [];
    }, 1600);
}

/** Do not wait for what moves on the screen: everything is where it is going. */
export function skip(): void {
  if (trails.value.length) trails.value = [];
}

export async function refreshLayers(): Promise<void> {
  const on = layers.value;
  const version = live.value?.version;
  const want = async <T>(kind: string): Promise<T | undefined> => {
    const reply = await ask<{ layer: T }>({ t: "layer", kind });
    return reply.ok && version === live.value?.version ? reply.layer : undefined;
  };
  if (on.zoc || on.reach) zones.value = (await want<Record<string, string[]>>("zoc")) ?? zones.value;
  if (on.supply) lines.value = (await want<Record<string, Trace>>("supply")) ?? lines.value;
  if (on.threat) threats.value = (await want<Record<string, Threat>>("threat")) ?? threats.value;
}

export function toggle(name: string): void {
  layers.value = { ...layers.value, [name]: !layers.value[name] };
  announce(`${name} ${layers.value[name] ? "on" : "off"}`);
  void refreshLayers();
}
