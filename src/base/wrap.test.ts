import { expect, it } from "vitest";
import { wrapText } from "./wrap.ts";

it("keeps lines within the width, and words whole", () => {
  expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapText("one two three", 8, "  ")).toEqual(["  one", "  two", "  three"]);
  expect(wrapText("one two three", 10, "    ", "a   ")).toEqual(["a   one", "    two", "    three"]);
  expect(wrapText("a /very/long/path b", 5)).toEqual(["a", "/very/long/path", "b"]);
  expect(wrapText("", 5, "  ")).toEqual(["  "]);
  expect(wrapText("two  spaces", 80)).toEqual(["two  spaces"]);
  expect(wrapText("no limit at all", Number.POSITIVE_INFINITY)).toEqual(["no limit at all"]);
});
