// Beside the map: what is asked, the chosen stack, the odds, the record.
import { Odds } from "../fight/odds";
import { OpenSeat } from "../people/seats";
import { Log } from "../replay/record";
import { Decisions, Menu } from "../selection/decisions";

import { Stack, Waiting } from "../selection/stack";
import { Lines, Prompt, Study } from "./prompt";

export function Rail() {
  return (
    <aside class="rail" aria-label="Orders and record">
      <div class="deal">
        <OpenSeat />
        <Study />
        <Prompt />
        <Lines />
        <Menu />
        <Decisions />
        <Odds />
        <Waiting />
        <Stack />
      </div>
      <Log />
    </aside>
  );
}
