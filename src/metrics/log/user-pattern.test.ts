import { expect, test } from "vitest";
import { makeMetricReader } from "./metric-reader.ts";

test.each([
  ["named groups", String.raw`it (?<step>\d+): L=(?<loss>\S+)`, "it 5: L=0.5 x=9", [["loss", 0.5, 5, null]]],
  [
    "Python's spelling",
    String.raw`E(?P<epoch>\d+) (?P<val_acc>[\d.]+)`,
    "E3 0.75",
    [["val_acc", 0.75, null, 3]],
  ],
  [
    "names from the line",
    String.raw`(?<name>\w+)→(?<value>\S+)`,
    "a→1 b→nan __proto__→3 c→x",
    [
      ["a", 1, null, null],
      ["b", Number.NaN, null, null],
      ["__proto__", 3, null, null],
    ],
  ],
  ["a group that took no part", "(?<a>A[0-9])?(?<b>[0-9])", "7", [["b", 7, null, null]]],
])("%s", (_, pattern, line, expected) => {
  const points = makeMetricReader({ patterns: [pattern] }).read(Buffer.from(`${line}\n`));
  expect(points.map(({ metric, value, step, epoch }) => [metric, value, step, epoch])).toEqual(expected);
});

test("a line that no pattern matches is read as any other", () => {
  const reader = makeMetricReader({ patterns: ["^score (?<score>.+)$", "^rate (?<rate>.+)$"] });
  const points = reader.read(Buffer.from("score 1\nrate 2\nloss=3\nscore bad acc=4\n"));
  expect(points.map(({ metric, value }) => [metric, value])).toEqual([
    ["score", 1],
    ["rate", 2],
    ["loss", 3],
  ]);
});

test.each([
  ["(?<loss>", /metrics will not do/],
  ["loss=(.+)", /names no group/],
  ["(?<step>[0-9]+)", /names no group that is a metric/],
  ["(?=x)(?<loss>.)", /unsupported/],
  [String.raw`(?<a>.)\1`, /metrics will not do/],
  ["(?<loss>.){5000}", /metrics will not do/],
])("%s is refused", (pattern, reason) => {
  expect(() => makeMetricReader({ patterns: [pattern] })).toThrow(
    expect.objectContaining({ code: "metric_pattern_bad", message: expect.stringMatching(reason) }),
  );
});

test.each([
  "(?<loss>(a+)+)$",
  "(?<loss>(a|aa)+)$",
  "(?<loss>(.*)*x)",
  "(?<loss>(a*)*b)",
  "(?<l>.*.*.*.*.*.*=x)",
])("no line makes %s take long", (pattern) => {
  const reader = makeMetricReader({ patterns: [pattern] });
  const line = Buffer.alloc(50_000_000, "a");
  const before = process.cpuUsage();
  reader.read(line);
  reader.read(Buffer.from("!\n"));
  expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
});
