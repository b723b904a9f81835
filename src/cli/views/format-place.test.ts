import { expect, it } from "vitest";
import type { RunRecord } from "../../supervise/find-runs.ts";
import { formatLogPlace, formatPlace } from "./format-place.ts";

const remote = { address: {}, codeDir: "/x", folder: "/x" };
const run = {
  host: "box",
  remote,
  log: "/jobs/r1/log",
  results: null,
  resultsFolder: null,
} as unknown as RunRecord;

it("a path of another machine has its host before it", () => {
  expect(formatPlace(run, "/x/y")).toBe("box:/x/y");
  expect(formatPlace({ ...run, remote: null }, "/x/y")).toBe("/x/y");
});

it("the log is named where it lies, at home once it has come", () => {
  expect(formatLogPlace(run)).toBe("box:/jobs/r1/log");
  expect(formatLogPlace({ ...run, results: [], resultsFolder: "/home/r1" })).toBe("/home/r1/log");
  expect(formatLogPlace({ ...run, remote: null })).toBe("/jobs/r1/log");
});
