import fc from "fast-check";
import { expect, test } from "vitest";
import type { MetricPoint } from "../metric-point.ts";
import { decodeSeriesSet, encodeSeriesSet } from "./encode-series.ts";
import { addPoints, makeSeries, sumUpSeries } from "./series.ts";
import { chooseAxis } from "./series-axis.ts";
import { addToSet, MOST_METRICS, makeSeriesSet } from "./series-set.ts";

/** Without minus zero, which JSON does not have. */
const values = fc.array(
  fc.double().map((value) => value + 0),
  { maxLength: 300 },
);

test("few points are kept one by one", () => {
  const { buckets, stride } = addPoints(makeSeries("loss"), makePoints([3, 1, 2]));
  expect(stride).toBe(1);
  expect(buckets.map(({ last, step }) => [last, step])).toEqual([
    [3, 0],
    [1, 1],
    [2, 2],
  ]);
});

test("many points share buckets, which tell their edges, their first step and their last value", () => {
  const { buckets, stride } = addPoints(makeSeries("loss"), makePoints([5, 1, 4, Number.NaN, 2, 3]), 4);
  expect(stride).toBe(2);
  expect(buckets).toMatchObject([
    { count: 2, notFinite: 0, min: 1, max: 5, last: 1, step: 0, lastStep: 1 },
    { count: 2, notFinite: 1, min: 4, max: 4, last: Number.NaN, step: 2, lastStep: 3 },
    { count: 2, notFinite: 0, min: 2, max: 3, last: 3, step: 4, lastStep: 5 },
  ]);
});

test("however many points: the room is bounded, and edges, count and last value are exact", () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 2, max: 20 }), (list, most) => {
      const series = addPoints(makeSeries("loss"), makePoints(list), most);
      const finite = list.filter(Number.isFinite);
      expect(series.buckets.length).toBeLessThanOrEqual(most);
      if (list.length === 0) {
        expect(sumUpSeries(series)).toBeNull();
        return;
      }
      expect(sumUpSeries(series)).toMatchObject({
        count: list.length,
        notFinite: list.length - finite.length,
        min: finite.length === 0 ? null : Math.min(...finite),
        max: finite.length === 0 ? null : Math.max(...finite),
        last: list.at(-1),
        step: 0,
        lastStep: list.length - 1,
      });
    }),
  );
});

test("points may come in any pieces, and through the store between them", () => {
  fc.assert(
    fc.property(values, fc.array(fc.nat(300), { maxLength: 5 }), (list, cuts) => {
      const points = makePoints(list);
      let set = makeSeriesSet();
      let from = 0;
      for (const to of [...cuts.toSorted((a, b) => a - b), points.length]) {
        set = addToSet(set, points.slice(from, to), 8);
        set = decodeSeriesSet(JSON.parse(JSON.stringify(encodeSeriesSet(set))));
        from = Math.max(from, to);
      }
      expect(set).toEqual(addToSet(makeSeriesSet(), points, 8));
    }),
  );
});

test("a set keeps metrics of any name, up to a number", () => {
  const names = [
    "__proto__",
    "constructor",
    ...Array.from({ length: MOST_METRICS }, (_, index) => `m${index}`),
  ];
  const set = addToSet(
    makeSeriesSet(),
    names.flatMap((metric) => makePoints([1, 2], metric)),
  );
  expect(set.series.size).toBe(MOST_METRICS);
  expect(set.dropped).toBe(4);
  const stored = decodeSeriesSet(JSON.parse(JSON.stringify(encodeSeriesSet(set))));
  expect(stored.series.get("__proto__")?.buckets.map(({ last }) => last)).toEqual([1, 2]);
  expect(Object.getPrototypeOf(stored.series)).toBe(Map.prototype);
});

test.each([
  [null],
  [{}],
  [{ schema: 2, dropped: 0, series: [] }],
  [{ schema: 1, dropped: 0, series: [{ metric: "a" }] }],
])("what is no stored set is an empty one: %j", (stored) => {
  expect(decodeSeriesSet(stored)).toEqual(makeSeriesSet());
});

test.each<[string, Partial<MetricPoint>[], ReturnType<typeof chooseAxis>]>([
  ["steps that grow", [{ step: 5 }, { step: 9 }], { kind: "step", places: [5, 9], end: 9 }],
  [
    "steps that begin anew with each epoch",
    [
      { step: 1, epoch: 0 },
      { step: 2, epoch: 0 },
      { step: 1, epoch: 1 },
    ],
    { kind: "epoch", places: [0, 0, 1], end: 1 },
  ],
  ["neither", [{ step: 1 }, {}, { step: 3 }], { kind: "point", places: [1, 2, 3], end: 3 }],
  ["one step for all", [{ step: 3 }, { step: 3 }], { kind: "point", places: [1, 2], end: 2 }],
])("the axis of %s", (_, places, expected) => {
  const points = places.map((place) => ({
    metric: "m",
    value: 1,
    step: null,
    epoch: null,
    atMs: null,
    ...place,
  }));
  expect(chooseAxis(addPoints(makeSeries("m"), points))).toEqual(expected);
});

function makePoints(list: readonly number[], metric = "loss"): MetricPoint[] {
  return list.map((value, step) => ({ metric, value, step, epoch: null, atMs: null }));
}
