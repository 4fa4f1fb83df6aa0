import { beforeAll, describe, expect, it } from "vitest";
import type { Spread } from "../src/wire";
import { stubPage } from "./page";

beforeAll(stubPage);

describe("many orders", () => {
  it("that differ by a number are one field, few are buttons", async () => {
    const { families } = await import("../src/selection/orders");
    const bids = Array.from({ length: 61 }, (_, n) => `bid ${n}`);
    expect(families(["end", ...bids])).toEqual(["end", { head: "bid", last: bids.map((b) => b.slice(4)), numbers: true }]);
    expect(families(["air 0", "air 1", "commit"])).toEqual(["air 0", "air 1", "commit"]);
  });

  it("that differ by a word are a list only when they are very many", async () => {
    const { families } = await import("../src/selection/orders");
    const names = Array.from({ length: 13 }, (_, n) => `replace a${n}b`);
    expect(families(names)).toHaveLength(1);
    expect(families(names.slice(0, 12))).toHaveLength(12);
  });
});

describe("rare results", () => {
  const spread = (...ps: number[]): Spread[] => ps.map((p, i) => ({ value: `r${i}`, exact: String(p), probability: p }));
  it("are put together, but never one alone", async () => {
    const { parted } = await import("../src/fight/odds");
    expect(parted(spread(0.009, 0.985, 0.006)).map((part) => part.map((r) => r.value))).toEqual([["r1"], ["r0", "r2"]]);
    expect(parted(spread(0.5, 0.495, 0.005))[1]).toEqual([]);
    expect(parted(spread(...Array(20).fill(0.05)))[0]).toHaveLength(8);
  });
});

describe("orders in words", () => {
  const verbs = {
    add: "join",
    lose: "lose",
    retreat: "retreat",
    advance: "advance",
    move: "go",
    enter: "enter",
    target: "aim",
    activate: "call",
    attack: "strike",
    commit: "commit",
  };
  const spoken = {
    replace: { usage: "replace UNIT+UNIT HEX-HEX?", said: "Rebuild {units} in {hex}|Replace losses of {units}" },
    redraw: { usage: "redraw WORD", said: "Draw a replacement for {word}" },
    assign: { usage: "assign UNIT+UNIT WORD", said: "Assign {units} to {name}" },
    air: { usage: "air WORD", said: "{=0}Send no aircraft|{=1}Send 1 air unit|Send {word} air units" },
    bid: { usage: "bid WORD", said: "" },
  };
  const called = {
    "122": "122nd Infantry Division",
    "121": "121st Infantry Division",
    "1pz": "1st Panzer Division",
    i8: "hidden unit in 4516",
    "hq-39": "39th Corps",
    "II/28p": "II Battalion, 28th Rifle Regiment",
    "III/28p": "III Battalion, 28th Rifle Regiment",
  };
  const words = async (text: string): Promise<string> => {
    const { live, welcome } = await import("../src/table/state");
    const { orderWords } = await import("../src/words/orders");
    const plainly = Object.entries(verbs).map(([verb, role]) => [verb, { role, usage: "", help: "", said: "" }]);
    const decisions = Object.entries(spoken).map(([verb, told]) => [verb, { ...told, role: "choose", help: "" }]);
    welcome.value = { game: { verbs: Object.fromEntries([...plainly, ...decisions]) } } as never;
    live.value = { table: { counters: Object.entries(called).map(([id, name]) => ({ id, called: name, side: "german" })) } } as never;
    return orderWords(text);
  };

  it("name units in full, those alike in one breath", async () => {
    expect(await words("add 122")).toBe("Add 122nd Infantry Division");
    expect(await words("lose i8")).toBe("Take a step from the hidden unit in 4516");
    expect(await words("move 121+122+1pz 0111-0213")).toBe("Move 121st and 122nd Infantry Divisions and 1st Panzer Division to 0213");
    expect(await words("advance II/28p+III/28p 0213")).toBe("Advance II and III Battalions, 28th Rifle Regiment → 0213");
    expect(await words("retreat 122")).toBe("Retreat 122nd Infantry Division: no hex free, the unit is lost");
    expect(await words("assign 122 hq-39")).toBe("Assign 122nd Infantry Division to 39th Corps");
  });

  it("remember who is gone, and tell decisions apart", async () => {
    const { live } = await import("../src/table/state");
    const { orderSaid } = await import("../src/words/orders");
    await words("lose 121");
    live.value = { table: { counters: [] } } as never;
    expect(orderSaid("lose 121")).toBe("take a step from 121st Infantry Division");
    expect(await words("replace 122 0213")).toBe("Rebuild 122nd Infantry Division in 0213");
    expect(await words("replace 122")).toBe("Replace losses of 122nd Infantry Division");
    expect(await words("redraw north-front")).toBe("Draw a replacement for north front");
    expect([await words("air 0"), await words("air 1"), await words("air 3")]).toEqual(["Send no aircraft", "Send 1 air unit", "Send 3 air units"]);
    const { deedWords } = await import("../src/words/orders");
    expect([deedWords("lose 122"), deedWords("retreat II/28p 0112-0113")]).toEqual(["Take a step", "Retreat → 0113"]);
    expect(await words("bid 12")).toBe("Bid 12");
  });
});
