import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { findAgentIdFault } from "./agent-id.ts";

it.each([randomUUID(), "a", "left robot é", "a".repeat(64), "é".repeat(32)])("%s is an agent id", (id) => {
  expect(findAgentIdFault(id)).toBeUndefined();
});

it.each([
  ["", "is empty"],
  [" \t", "is empty"],
  [`${"é".repeat(32)}a`, "has 65 bytes: at most 64 are allowed"],
  ["a\u001b[31m", "holds characters that cannot be printed"],
  ["a\ud800", "holds characters that cannot be printed"],
  ["a\u2028b", "holds characters that cannot be printed"],
])("%j is none", (id, fault) => {
  expect(findAgentIdFault(id)).toBe(fault);
});
