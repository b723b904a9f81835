import { describe, expect, it } from "vitest";
import { findGlobBase, makeGlobMatcher, normalizeGlob } from "./globs.ts";

describe("makeGlobMatcher", () => {
  it.each([
    ["results/", "results/a/b.json", true],
    ["./results", "results", true],
    ["results", "results2/a", false],
    ["results/*.json", "results/a.json", true],
    ["results/*.json", "results/sub/a.json", false],
    ["out/**/*.pt", "out/a/b/c.pt", true],
    ["out/**/*.pt", "out/c.pt", true],
    ["run?/log", "run1/log", true],
    ["{logs,plots}/*", "plots/a.png", true],
    ["results", "results/.hidden/x", true],
    ["results", "results/new\nline", true],
    ["results/**/x\ny", "results/a\nb/x\ny", true],
    ["!results", "other", false],
    [".", "any/thing", true],
    ["/data/out", "/data/out/x", true],
  ])("%j on %j: %j", (glob, path, expected) => {
    expect(makeGlobMatcher([glob])(path)).toBe(expected);
  });

  it("matches nothing without globs", () => {
    expect(makeGlobMatcher([])("a")).toBe(false);
  });
});

it.each([
  ["results/", "results"],
  ["results/*.json", "results"],
  ["**/x", ""],
  ["{a,b}/c", ""],
  ["/data/out/*.pt", "/data/out"],
  ["/*", "/"],
  ["out/run\\[1\\]/x", "out"],
  ["\\[1\\]", ""],
])("finds where a walk for %j starts: %j", (glob, base) => {
  expect(findGlobBase(glob)).toBe(base);
});

it("drops empty parts and dots", () => {
  expect([".", "./a//b/", "/a/./b"].map(normalizeGlob)).toEqual(["", "a/b", "/a/b"]);
});
