import { beforeAll, describe, expect, it } from "vitest";
import type { LogEntry } from "../src/wire";
import { stubPage } from "./page";

beforeAll(stubPage);

let n = 0;
const entry = (more: Partial<LogEntry>): LogEntry => ({
  n: ++n,
  turn: 2,
  phase: "German movement",
  side: "german",
  of: "german",
  lines: [],
  text: "",
  moved: [],
  lost: {},
  ...more,
});
const fight = (side: string): Partial<LogEntry> => ({ side, fight: { side, title: "Attack on Tilsit", hexes: ["0212"], column: "2-1", dice: ["3"], code: "-/1", chance: 0.2 } });

describe("the enemy's turn", () => {
  it("counts his attacks, not the fire that answers them, and units that enter", async () => {
    const { since } = await import("../src/replay/since");
    const { live, log } = await import("../src/table/state");
    live.value = { audience: "soviet", phase: { side: "soviet" } } as typeof live.value;
    log.value = [
      entry({ moved: [["11", "0111", "0212"]], reason: "goes for Raseiniai" }),
      entry({ lines: [{ text: "I/8 enters in 5129", case: "8.1", kind: "move" }], reason: "goes for Raseiniai" }),
      entry({ moved: [["1", "0111", "0112"]], reason: "closes up" }),
      entry(fight("soviet")),
      entry({ ...fight("german"), reason: "sound odds" }),
      entry({ outcome: true, lines: [{ text: "12rd is eliminated", case: "9.5", kind: "loss" }], lost: { soviet: 1 } }),
      entry({ lines: [{ text: "121 is removed from 0113", case: "5.1", kind: "loss" }], lost: { german: 1 } }),
    ];
    const told = since.value!;
    expect([told.moves, told.attacks, told.fights.length]).toEqual([3, 1, 2]);
    expect(told.fights[1]!.hurt.map((h) => h.text)).toEqual(["12rd is eliminated"]);
    expect(told.why).toEqual(["goes for Raseiniai", "sound odds", "closes up"]);
  });
});
