import { expect, test } from "vitest";
import { closeCodes, findCloseWord, makeCloseReason } from "./close-codes.ts";

test("a code leads back to its word, and an unknown code to none", () => {
  for (const [word, code] of Object.entries(closeCodes)) expect(findCloseWord(code)).toBe(word);
  for (const code of [1005, 1006, 1011, 4000, 4999]) expect(findCloseWord(code)).toBeUndefined();
});

test("a reason fits into a close frame, and no character is cut in two", () => {
  expect(makeCloseReason("over the cap of 2 agents")).toBe("over the cap of 2 agents");
  const long = makeCloseReason(`a${"日".repeat(60)}`);
  expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(120);
  expect(long).toBe(`a${"日".repeat(39)}`);
  expect(makeCloseReason("\x1b[31mred")).toBe("\\x1b[31mred");
});
