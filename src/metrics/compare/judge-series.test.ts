import { expect, test } from "vitest";
import { formatDelta, formatNumber } from "../format-number.ts";
import { addPoints, makeSeries } from "../series/series.ts";
import { judgeSeries } from "./judge-series.ts";
import { readParameters } from "./read-parameters.ts";

const range = (count: number, make: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => make(index));
const wobble = (index: number) => 0.05 * Math.sin(index * 7);

test.each<[string, string, number[], string[]]>([
  ["a loss that falls", "loss", range(100, (index) => 2 - index / 60 + wobble(index)), []],
  ["a noisy loss that falls", "loss", range(100, (index) => 2 / (1 + index / 20) + 4 * wobble(index)), []],
  [
    "a loss that falls and blows up",
    "loss",
    [...range(50, (index) => 2 - index / 30), ...range(20, () => 8)],
    ["diverged"],
  ],
  ["a loss that rises from the start", "train_loss", range(40, (index) => 1 + index / 20), ["diverged"]],
  [
    "an accuracy that collapses",
    "val_acc",
    [...range(50, (index) => index / 60), ...range(20, () => 0.1)],
    ["diverged"],
  ],
  [
    "a loss that stands still at last",
    "loss",
    [...range(40, (index) => 2 - index / 30), ...range(60, () => 0.7)],
    ["plateau"],
  ],
  ["a loss that never moved", "loss", range(50, () => 0.75), ["plateau"]],
  [
    "an accuracy that stands still",
    "acc",
    [...range(40, (index) => index / 50), ...range(60, () => 0.78)],
    ["plateau"],
  ],
  ["a NaN", "loss", [1, Number.NaN, 0.5], ["not_finite"]],
  ["nothing but NaN", "loss", range(30, () => Number.NaN), ["not_finite"]],
  ["a learning rate, which may do as it likes", "lr", [...range(50, () => 1), ...range(50, () => 9)], []],
  ["too few to judge", "loss", [1, 5, 9], []],
  ["nothing", "loss", [], []],
])("%s", (_, metric, values, expected) => {
  const points = values.map((value, step) => ({ metric, value, step, epoch: null, atMs: null }));
  expect(judgeSeries(addPoints(makeSeries(metric), points)).map(({ kind }) => kind)).toEqual(expected);
});

test.each([
  [
    "python train.py --lr 0.1 --seed=3 --amp",
    { "argument 0": "python", "argument 1": "train.py", lr: "0.1", seed: "3", amp: "true" },
  ],
  [
    "run -n 4 --shift -0.5 model.lr=1e-3 +x=1 ++y=2",
    { "argument 0": "run", n: "4", shift: "-0.5", "model.lr": "1e-3", x: "1", y: "2" },
  ],
  ["a --lr 1 --lr 2 -- b=c=d", { "argument 0": "a", lr: "2", "argument 1": "--", b: "c=d" }],
  ["a --__proto__ 1", { "argument 0": "a" }],
])("the parameters of %s", (command, expected) => {
  expect(readParameters(command.split(" "))).toEqual(
    new Map([
      ...Object.entries(expected),
      ...(command.includes("proto") ? [["__proto__", "1"] as const] : []),
    ]),
  );
});

test.each<[number | null, string]>([
  [0, "0"],
  [0.123456, "0.1235"],
  [12.5, "12.5"],
  [1234.56, "1235"],
  [0.00001234, "1.234e-5"],
  [-0.0001, "-1e-4"],
  [12_345_678, "1.235e7"],
  [Number.NaN, "NaN"],
  [Number.NEGATIVE_INFINITY, "-inf"],
  [null, ""],
])("%d is shown as %s", (value, expected) => {
  expect(formatNumber(value)).toBe(expected);
});

test("a difference has its sign", () => {
  expect([0.5, -0.5, 0].map(formatDelta)).toEqual(["+0.5", "-0.5", "+0"]);
});
