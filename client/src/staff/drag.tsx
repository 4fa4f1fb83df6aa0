// Counters carried from the map or the rail onto the sheet for reckoning.
import { signal } from "@preact/signals";
import { carried } from "../map/view";
import { counters, live } from "../table/state";
import { Chip } from "../words/pieces";
import { add, sheet } from "./state";

/** What is being carried, where it is, and whether it would fall onto the sheet. */
export const dragged = signal<{ units: string[]; x: number; y: number; over: boolean } | null>(null);

/** Own counters are taken up while the sheet lies open: they are carried once the hand has moved. Whether they are. */
export function takeUp(event: PointerEvent, units: string[]): boolean {
  const own = units.filter((u) => counters.value.get(u)?.side === live.value?.audience);
  if (!sheet.value || !own.length || event.button) return false;
  document.body.classList.add("carrying");
  const [fromX, fromY] = [event.clientX, event.clientY];
  const move = (e: PointerEvent): void => {
    if (!dragged.value && Math.hypot(e.clientX - fromX, e.clientY - fromY) < 6) return;
    const over = !!document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-tray]");
    dragged.value = { units: own, x: e.clientX, y: e.clientY, over };
    e.preventDefault();
  };
  const done = (): void => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", done);
    carried.value = false;
    document.body.classList.remove("carrying");
    setTimeout(() => (dragged.value = null));
  };
  const up = (): void => {
    if (dragged.value?.over) add(own);
    done();
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", done);
  return true;
}

export function Dragged() {
  const d = dragged.value;
  const c = d && counters.value.get(d.units.at(-1)!);
  if (!d || !c) return null;
  return (
    <div class="dragged" style={{ left: `${d.x}px`, top: `${d.y}px` }} aria-hidden="true">
      <Chip c={c} size={62} quiet />
      {d.units.length > 1 && <b>{d.units.length}</b>}
    </div>
  );
}
