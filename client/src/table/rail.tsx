// Beside the map: what is asked, the chosen stack, the odds, the record.
import { Due } from "../fight/due";
import { Moment, moment } from "../fight/moment";
import { Odds } from "../fight/odds";
import { OpenSeat } from "../people/seats";
import { Digest } from "../replay/digest";
import { Log } from "../replay/record";
import { Decisions, Joining, Menu } from "../selection/decisions";
import { Stack, Waiting } from "../selection/stack";
import { Advice } from "../staff/advice";
import { Calculator } from "../staff/calculator";
import { Clocks } from "./clock";
import { Lines, Prompt, Study } from "./prompt";

export function Rail() {
  return (
    <aside class="rail" aria-label="Orders and record">
      <div class="deal">
        <Clocks />
        <OpenSeat />
        {!moment.value && <Study />}
        <Prompt />
        {!moment.value && <Lines />}
        <Menu />
        <Decisions />
        <Joining />
        <Digest />
        <Advice />
        <Calculator />
        <Odds />
        <Moment />
        {!moment.value && <Due />}
        <Waiting />
        <Stack />
      </div>
      <Log />
    </aside>
  );
}
