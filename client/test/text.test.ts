import { expect, test } from "vitest";
import { verdict } from "../src/words/text";

const outcome = { winner: "german", level: "by resignation", margin: 3, case: "", ledger: [] };

test("who wins by resignation or on time did not win by the points", () => {
  expect(verdict({ ...outcome, by: "soviet" })).toBe("German victory by resignation");
  expect(verdict({ ...outcome, level: "on time", by: "soviet" })).toBe("German victory on time");
});

test("a game that was played out, or ended by agreement, tells its margin", () => {
  expect(verdict({ ...outcome, winner: "soviet", level: "tactical" })).toBe("Soviet tactical victory (+3)");
  expect(verdict({ ...outcome, winner: "soviet", level: "tactical", agreed: true })).toBe("Soviet tactical victory (+3)");
});
