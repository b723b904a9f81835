import { expect, test } from "vitest";
import type { MetricPoint } from "../metric-point.ts";
import { makeMetricReader } from "./metric-reader.ts";

const MEGABYTE = Buffer.alloc(1_000_000, "x=1 ");

test("half a line waits for the rest", () => {
  const reader = makeMetricReader();
  expect(show(reader.read(Buffer.from("step 1 loss 0.5\nstep 2 lo")))).toEqual([["loss", 0.5, 1]]);
  expect(show(reader.read(Buffer.from("ss 0.2")))).toEqual([]);
  expect(show(reader.read(Buffer.from("5\n")))).toEqual([["loss", 0.25, 2]]);
});

test("of a last line without an end, the number at its very end is left out: it may be cut", () => {
  const reader = makeMetricReader();
  expect(reader.read(Buffer.from("step 3 loss 0.5 acc 0.9"))).toEqual([]);
  expect(show(reader.end())).toEqual([["loss", 0.5, 3]]);
  expect(reader.end()).toEqual([]);
});

test("of a line of 50 MB the head is read, and the next line is a line again", () => {
  const reader = makeMetricReader();
  const points = reader.read(Buffer.from("step 7 loss 0.5 "));
  for (let piece = 0; piece < 50; piece += 1) points.push(...reader.read(MEGABYTE));
  expect(points).toEqual([]);
  expect(JSON.stringify(reader.save()).length).toBeLessThan(100_000);
  points.push(...reader.read(Buffer.from("\nstep 8 loss 0.25\n")));
  expect(show(points).filter(([metric]) => metric === "loss")).toEqual([
    ["loss", 0.5, 7],
    ["loss", 0.25, 8],
  ]);
  expect(reader.offset).toBe(50_000_000 + 34);
});

test("a line of 50 MB in one piece gives the same as in many", () => {
  const line = Buffer.concat([Buffer.from('{"loss": 0.5, '), ...Array(50).fill(MEGABYTE), Buffer.from("\n")]);
  const whole = makeMetricReader().read(line);
  const reader = makeMetricReader();
  const pieces = [];
  for (let at = 0; at < line.length; at += 777_777)
    pieces.push(...reader.read(line.subarray(at, at + 777_777)));
  expect(pieces).toEqual(whole);
});

test.each([
  ["opening braces", "{"],
  ["dictionaries that never end", '{"a": '],
  ["lists that never end", "{'a': ["],
  ["quotes", '"'],
  ["calls that never end", "f("],
  ["words", "loss "],
  ["names", "a."],
  ["digits", "1"],
  ["colons", "a: "],
  ["brackets", "["],
  ["escapes", "\u001b["],
  ["titles", "\u001b]"],
  ["spaces", " "],
  ["dots and commas", "1,234,"],
  ["numbers with brackets", "1 (2) "],
  ["closings", ") 1 "],
  ["bars", "| 1 "],
])("a line full of %s costs no more than its length", (_, text) => {
  const line = Buffer.from(`${text.repeat(60_000 / text.length)}\n`);
  const reader = makeMetricReader();
  reader.read(line);
  const before = process.cpuUsage();
  for (let times = 0; times < 10; times += 1) reader.read(line);
  const { user } = process.cpuUsage(before);
  expect(user / 10).toBeLessThan(100_000);
});

test("a name as long as its line is none", () => {
  const long = "x".repeat(60_000);
  expect(show(makeMetricReader().read(Buffer.from(`{"loss": 1, "${long}": 2}\n`)))).toEqual([
    ["loss", 1, null],
  ]);
  const reader = makeMetricReader({ patterns: ["(?<name>\\w+)!(?<value>\\d)"] });
  expect(show(reader.read(Buffer.from(`loss!1 ${long}!2\n`)))).toEqual([["loss", 1, null]]);
});

test("a metric may be called as a property of every object", () => {
  const reader = makeMetricReader();
  const line =
    '{"__proto__": 1, "constructor": 2, "hasOwnProperty": 3, "toString": 4}\n__proto__=5 constructor: 6\n';
  expect(show(reader.read(Buffer.from(line)))).toEqual([
    ["__proto__", 1, null],
    ["constructor", 2, null],
    ["hasOwnProperty", 3, null],
    ["toString", 4, null],
    ["__proto__", 5, null],
    ["constructor", 6, null],
  ]);
});

test("a clock that goes back changes no order", () => {
  const lines = [
    "2026-03-01T10:00:00Z step 1 loss 3",
    "2026-03-01T09:00:00Z step 2 loss 2",
    "2026-02-30T99:00:00Z step 3 loss 1",
  ];
  const points = makeMetricReader().read(Buffer.from(`${lines.join("\n")}\n`));
  expect(points.map(({ value, atMs }) => [value, atMs])).toEqual([
    [3, Date.UTC(2026, 2, 1, 10)],
    [2, Date.UTC(2026, 2, 1, 9)],
    [1, null],
  ]);
});

test("after a reset the log is read from its beginning, with nothing known of the old one", () => {
  const reader = makeMetricReader();
  reader.read(Buffer.from("Epoch 5\nloss: 0.5\nhalf a li"));
  reader.reset();
  expect(reader.offset).toBe(0);
  expect(reader.read(Buffer.from("loss: 0.25\n"))).toMatchObject([
    { metric: "loss", value: 0.25, epoch: null },
  ]);
});

test.each([[undefined], [null], ["{"], [{ schema: 2 }], [{ schema: 1, offset: "9" }]])(
  "a state that is not understood starts at the beginning: %j",
  (state) => {
    expect(makeMetricReader({ state }).offset).toBe(0);
  },
);

test("a log that never repeats a name stays within bounds", () => {
  const reader = makeMetricReader();
  for (let line = 0; line < 5_000; line += 1)
    expect(reader.read(Buffer.from(`[rank${line}] metric_${line}=0.5\n`))).toHaveLength(1);
  expect(JSON.stringify(reader.save()).length).toBeLessThan(50_000);
});

test("a line without UTF-8, and one with carriage returns alone", () => {
  const reader = makeMetricReader();
  expect(show(reader.read(Buffer.from([0xff, 0xfe, 0x20])))).toEqual([]);
  expect(show(reader.read(Buffer.from("loss=0.5\r\nacc=1\r\r\rloss=2\r")))).toEqual([
    ["loss", 0.5, null],
    ["acc", 1, null],
    ["loss", 2, null],
  ]);
});

function show(points: readonly MetricPoint[]) {
  return points.map(({ metric, value, step }) => [metric, value, step]);
}
