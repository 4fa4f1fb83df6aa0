import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Spread } from "../src/wire";

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("innerWidth", 1400);
  vi.stubGlobal("document", {
    documentElement: { dataset: {}, style: { setProperty: () => undefined } },
    querySelector: () => null,
    addEventListener: () => undefined,
  });
});

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
