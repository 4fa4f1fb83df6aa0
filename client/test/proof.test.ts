import { expect, test } from "vitest";
import { Geometry } from "../src/map/geometry";
import { checkRolls, hex, hmac, outcome, sha256, unhex } from "../src/sheets/proof";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const DIE = [1, 2, 3, 4, 5, 6].map((n) => [`die ${n}`, 1, 6] as [string, number, number]);

test("the hash is SHA-256", () => {
  expect(hex(sha256(bytes("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(hex(sha256(bytes("a".repeat(200))))).toBe("c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5");
});

test("the keyed hash is HMAC", () => {
  expect(hex(hmac(bytes("Jefe"), bytes("what do ya want for nothing?")))).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

test("dice fall as the engine's do", () => {
  expect([0, 1, 2, 3].map((n) => outcome(bytes("secret"), n, DIE))).toEqual(["die 1", "die 5", "die 1", "die 4"]);
});

test("a tampered roll is found", () => {
  const seed = hex(bytes("secret"));
  const commitment = hex(sha256(unhex(seed)));
  const roll = (result: string) => ({ title: "", turn: 1, side: "german", outcomes: DIE, result });
  expect(checkRolls({ commitment, seed, rolls: [roll("die 1"), roll("die 5")] })).toMatch(/^All 2/);
  expect(checkRolls({ commitment, seed, rolls: [roll("die 1"), roll("die 6")] })).toMatch(/^Roll 2/);
  expect(checkRolls({ commitment: commitment.replace(/^./, "x"), seed, rolls: [] })).toMatch(/not the one/);
});

test("the outline of two hexes is one ring of ten sides", () => {
  const frame: [number, number, number, number] = [0, 0, 300, 300];
  const board = { name: "main", title: "", shape: "flat" as const, north: 0, km: 0, dx: 0, dy: 0, frame };
  const g = new Geometry({ hex: 100, boards: [board], hexes: { "0101": [100, 100], "0102": [100, 200], "0201": [186.6, 150] } });
  expect(g.neighbours("0101").filter(Boolean).sort()).toEqual(["0102", "0201"]);
  const path = g.contour(["0101", "0102"]);
  expect(path.match(/M/g)).toHaveLength(1);
  expect(path.match(/[ML]/g)).toHaveLength(10);
  expect(g.at(105, 90)).toBe("0101");
  expect(g.at(290, 20)).toBeUndefined();
  expect(g.step("0101", 0, 1)).toBe("0102");
});

test("distance is counted hex by hex, on either shape", () => {
  const board = (shape: "flat" | "pointy") => ({ name: "main", title: "", shape, north: 0, km: 1, dx: 0, dy: 0, frame: [0, 0, 2000, 2000] as [number, number, number, number] });
  const side = 100 * Math.sqrt(0.75);
  for (const shape of ["flat", "pointy"] as const) {
    const place = (across: number, along: number): [number, number] => {
      const a = across * side;
      const b = 100 * along + 50 * (across % 2);
      return shape === "flat" ? [a + 100, b + 100] : [b + 100, a + 100];
    };
    const hexes = Object.fromEntries([0, 1, 2, 3, 4].flatMap((c) => [0, 1, 2, 3, 4].map((r) => [`${c}${r}`, place(c, r)] as const)));
    const g = new Geometry({ hex: 100, boards: [board(shape)], hexes });
    expect([g.distance("00", "04"), g.distance("00", "40"), g.distance("00", "44"), g.distance("11", "11"), g.distance("00", "10")]).toEqual([4, 4, 6, 0, 1]);
  }
});
