// Every action by keyboard; nothing on bare letters while somebody types.

import { moment, putAway } from "../fight/moment";
import { toggleGuide } from "../guide/guide";
import { jump } from "../map/edge";
import { LAYERS, open, toggleCard } from "../map/foot";
import { skip, toggle } from "../map/layers";
import { centreOn, fitFront, wholeMap, zoomBy } from "../map/view";
import { stepDigest } from "../replay/digest";
import { backToNow, goTo } from "../replay/replay";
import { closeDigest, digest, kept } from "../replay/since";
import { choices, choose, clear, facts, focused, look, menu, selected, touch, ways, weighed } from "../selection/state";
import { askStaff, closeSheet, points, putAway as putAdviceAway, sheet as reckoning, what } from "../staff/state";
import { end, give, undo } from "../table/acting";
import { bannerShown, foldBanner } from "../table/banner";
import { announce, counters, ending, geometry, live, past, sheet, shown, sideName, stacks, toast, welcome, yours } from "../table/state";
import { fraction, landWords, unitName } from "../words/text";
import { type } from "./command";

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowUp: [0.05, -1],
  ArrowDown: [-0.05, 1],
  ArrowLeft: [-1, -0.05],
  ArrowRight: [1, 0.05],
  Home: [-1, -0.7],
  PageUp: [1, -0.7],
  End: [-1, 0.7],
  PageDown: [1, 0.7],
};

const SHEETS: Record<string, string> = { c: "charts", b: "oob", o: "boxes", v: "ledger", p: "talk", d: "dice", k: "keys", "?": "rules" };

/** A hex in words, for whoever cannot see it. */
export function inWords(hex: string): string {
  const f = facts.value?.hex === hex ? facts.value : null;
  const units = stacks.value.get(hex) ?? [];
  const way = choices.value?.reach[hex];
  return [
    f?.name ? `${f.name} ${hex}` : hex,
    f ? landWords(f) : "",
    units.map((c) => [`${sideName(c.side)} ${unitName(c)}`, c.figures, ...(c.states ?? [])].filter(Boolean).join(", ")).join("; "),
    f?.zones.length ? `${f.zones.map(sideName).join(" and ")} zone of control` : "",
    ways.value.has(hex) ? `may be entered${way ? `, ${fraction(way[0])} points left` : ""}` : "",
    (live.value?.offers.hexes[hex]?.length ?? 0) > 0 && yours.value ? "may be chosen" : "",
  ]
    .filter(Boolean)
    .join(", ");
}

export async function focusOn(hex: string): Promise<void> {
  focused.value = hex;
  centreOn(hex, false);
  await look(hex);
  if (focused.value === hex) announce(inWords(hex));
}

function step(key: string): void {
  const g = geometry.value;
  if (!g) return;
  const [dx, dy] = DIRECTIONS[key]!;
  const from = focused.value ?? [...stacks.value.keys()][0] ?? g.numbers[0];
  if (!from) return;
  if (!focused.value) return void focusOn(from);
  const to = g.step(from, dx, dy);
  if (to) void focusOn(to);
}

/** The next (or previous) unit that may be ordered. */
export function nextUnit(by: number): void {
  const able = Object.keys(live.value?.offers.units ?? {});
  if (!able.length || !yours.value) {
    announce("No unit can be ordered now");
    return;
  }
  const order = [...able].sort((a, b) => (counters.value.get(a)?.hex ?? "").localeCompare(counters.value.get(b)?.hex ?? ""));
  const at = order.indexOf(selected.value[0] ?? "");
  const unit = order[(at + by + order.length) % order.length]!;
  const hex = counters.value.get(unit)?.hex;
  if (hex) {
    focused.value = hex;
    centreOn(hex, false);
    void look(hex);
  }
  void choose([unit]);
}

function nextInStack(whole: boolean): void {
  const hex = focused.value;
  const ids = (hex ? (stacks.value.get(hex) ?? []) : []).map((c) => c.id).filter((id) => live.value?.offers.units[id]);
  if (!ids.length || !yours.value) return;
  if (whole) return void choose(ids);
  const at = ids.indexOf(selected.value[0] ?? "");
  void choose([ids[(at + 1) % ids.length]!]);
}

/** Whether something can be done at a hex other than committing what is weighed. */
const lit = (hex: string): boolean =>
  !weighed.value?.text.split(" ").includes(hex) &&
  (ways.value.has(hex) || !!live.value?.offers.hexes[hex] || (stacks.value.get(hex) ?? []).some((c) => live.value?.offers.units[c.id] && !selected.value.includes(c.id)));

/** Whether Enter commits the attack that is weighed: not while the ring is on something else that can be done. */
export const commits = (): boolean => !!weighed.value && yours.value && !(focused.value && lit(focused.value));

export function pressed(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || !welcome.value || sheet.value) return;
  skip();
  const onMap = target.closest(".map") || target === document.body;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const layer = LAYERS.find(([, , k]) => k.toLowerCase() === key);
  if (key in DIRECTIONS && onMap) step(key);
  else if (key === "Enter" && onMap) {
    if (commits()) void give(weighed.value!.text);
    else if (focused.value) void touch(focused.value);
  } else if (key === " " && onMap) nextInStack(event.shiftKey);
  else if (key === "Escape") {
    if (menu.value) menu.value = null;
    else if (open.value) open.value = null;
    else if (ending.value) ending.value = null;
    else if (toast.value) toast.value = null;
    else if (points.value) putAdviceAway();
    else if (reckoning.value && !selected.value.length) closeSheet();
    else if (selected.value.length || weighed.value) clear();
    else if (past.value) backToNow();
    else if (bannerShown() && digest.value) foldBanner();
    else if (digest.value) closeDigest();
    else if (moment.value) putAway();
    else return;
  } else if (key === ".") nextUnit(1);
  else if (key === ",") nextUnit(-1);
  else if (key === "u") void undo();
  else if (key === "n") void end(!!ending.value);
  else if (key === "/" || key === ":") type(key === "/" ? "hex " : "");
  else if (key === "[") stepDigest(-1) || void goTo((shown.value?.n ?? 0) - 1);
  else if (key === "]") stepDigest(1) || void goTo((shown.value?.n ?? 0) + 1);
  else if (key === "e") kept.value = !kept.value;
  else if (key === "\\") backToNow();
  else if (key === "+" || key === "=") zoomBy(1.35);
  else if (key === "-") zoomBy(1 / 1.35);
  else if (key === "0") wholeMap();
  else if (key === "j") jump();
  else if (key === "g") toggleGuide();
  else if (key === "a") void askStaff();
  else if (key === "w") what(event.shiftKey);
  else if (key === "l") toggleCard("layers");
  else if (key === "m") toggleCard("key");
  else if (key === "f") fitFront();
  else if (layer) toggle(layer[0]);
  else if (SHEETS[key]) sheet.value = SHEETS[key]!;
  else return;
  event.preventDefault();
}
