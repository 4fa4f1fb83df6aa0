import { describe, expect, it } from "vitest";
import { applied, erased, type Land, NOTHING, sent, setName, setWhy, sideKey, touched, whole } from "../src/editor/editor";

const land: Land = {
  title: "Test",
  ground: "clear",
  terrain: [],
  hexsides: [],
  places: [],
  hexes: { "0101": ["clear", ["town"], "Riga"], "0102": ["swamp", [], ""] },
  sides: { "0101/0102": ["river"] },
  sources: {},
  kept: [],
  keeps: true,
  given: null,
};
const at = (hex: string, beyond?: string) => ({ hex, beyond });

describe("corrections of a map", () => {
  it("are made by tools and vanish when they say what the map has", () => {
    const hill = applied(land, NOTHING, { kind: "terrain", word: "hill" }, at("0101"));
    expect(sent(hill)).toEqual({ hexes: { "0101": "hill" } });
    expect(applied(land, hill, { kind: "terrain", word: "clear" }, at("0101"))).toEqual(NOTHING);
  });

  it("toggle places and hexsides, whichever hex a side is seen from", () => {
    const road = applied(land, NOTHING, { kind: "side", word: "road" }, at("0102", "0101"));
    expect(road.hexsides).toEqual({ "0101/0102": ["river", "road"] });
    expect(applied(land, road, { kind: "side", word: "road" }, at("0101", "0102"))).toEqual(NOTHING);
    const bare = applied(land, NOTHING, { kind: "place", word: "town" }, at("0101"));
    expect(bare.places).toEqual({ "0101": [] });
    expect(sideKey("0102", "0101")).toBe("0101/0102");
  });

  it("do nothing at a side with no hex beyond", () => {
    expect(applied(land, NOTHING, { kind: "side", word: "road" }, at("0101"))).toBe(NOTHING);
  });

  it("lose their remark with what it was about", () => {
    const named = setWhy(setName(land, NOTHING, "0102", "Bog"), "0102", "page 3");
    expect(named.why).toEqual({ "0102": "page 3" });
    expect(setWhy(NOTHING, "0102", "about nothing")).toEqual(NOTHING);
    expect(erased(named, "0102")).toEqual(NOTHING);
    expect(setName(land, named, "0102", "")).toEqual(NOTHING);
  });

  it("know which hexes look different afterwards", () => {
    const road = applied(land, NOTHING, { kind: "side", word: "road" }, at("0102", "0101"));
    expect(touched(NOTHING, road).sort()).toEqual(["0101", "0102"]);
    expect(touched(road, whole(sent(road)))).toEqual([]);
  });
});
