// How long each side may still take, counted down between two messages of the server.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { SideMark } from "../words/pieces";
import { timeLeft } from "../words/text";
import { announce, live, sideName } from "./state";

const now = signal(0);
let began = 0;

/** Seconds since the server last said what is left. */
const gone = (): number => Math.max(0, now.value - began) / 1000;

export function Clocks() {
  const s = live.value;
  const c = s?.clock;
  const running = c?.running ?? "";
  const left = (side: string): number => Math.max(0, (c?.left[side] ?? 0) - (side === running ? gone() : 0));
  useEffect(() => {
    began = now.value = performance.now();
    if (!running) return;
    const timer = setInterval(() => (now.value = performance.now()), 1000);
    return () => clearInterval(timer);
  }, [s]);
  const last = !!c && !!running && left(running) < c.each / 10;
  useEffect(() => {
    if (last) announce(`${sideName(running)}: the last tenth of the time, ${timeLeft(left(running))} left`);
  }, [last]);
  if (!c || s?.over) return null;
  return (
    <ul class="clocks" aria-label="Clocks">
      {Object.keys(c.left).map((side) => (
        <li key={side} class={`${side === running ? "runs" : ""}${side === running && last ? " last" : ""}`} data-clock={side}>
          <SideMark side={side} /> {sideName(side)} <b>{timeLeft(left(side))}</b>
          {c.kind === "days" && <small>this turn</small>}
        </li>
      ))}
    </ul>
  );
}
