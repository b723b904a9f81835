import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { measureWidth } from "../../base/text-width.ts";
import { addPoints, makeSeries, type Series } from "../series/series.ts";
import { drawPng } from "./draw-png.ts";
import { drawSvg } from "./draw-svg.ts";
import { drawTerminal } from "./draw-terminal.ts";
import { chooseTicks, findShare, formatApart, makeScale } from "./value-scale.ts";

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, 1e308, -1e308, 5e-324));

test("a falling curve in plain characters, with the largest and smallest value at its edges", () => {
  const chart = drawTerminal(makeCurve("loss", [4, 3, 2, 1]), { width: 30, height: 4, isPlain: true });
  expect(chart).toEqual([
    "loss  1, min 1, max 4, 4 values".slice(0, 30),
    "4 |*******",
    "  |      ********",
    "  |             ********",
    "1 |                    *******",
    "   step 0                    3",
  ]);
});

test("in braille", () => {
  const chart = drawTerminal(makeCurve("loss", [1, 2, 1]), { width: 40, height: 2 });
  expect(chart[0]).toBe("loss  1, min 1, max 2, 3 values");
  expect(chart[1]).toMatch(/^2 ┤[ \u2800-\u28ff]+$/);
  expect(chart[3]).toMatch(/^ {3}step 0 +2$/);
});

test("values that are close are told apart by their labels", () => {
  const chart = drawTerminal(makeCurve("acc", [0.912345, 0.912349]), { width: 60 });
  expect(chart[1]).toContain("0.912349 ┤");
  expect(chart.at(-2)).toContain("0.912345 ┤");
});

test("where their labels have no room, they are shorter", () => {
  const chart = drawTerminal(makeCurve("m", [-1.2345678901233e-300, -1.2345678901234e-300]), { width: 24 });
  expect(Math.max(...chart.map(measureWidth))).toBeLessThanOrEqual(24);
});

test("what is not finite is a gap, and is counted", () => {
  const [title] = drawTerminal(makeCurve("loss", [1, Number.NaN, 2]), { width: 80 });
  expect(title).toBe("loss  2, min 1, max 2, 3 values, 1 of them NaN or infinite");
  expect(drawTerminal(makeCurve("loss", [Number.NaN]), { width: 80 })).toEqual([
    "loss  NaN, 1 value, 1 of them NaN or infinite",
  ]);
  expect(drawTerminal(makeSeries("loss"), { width: 80 })).toEqual(["loss  no values"]);
});

test("whatever the numbers: no line is wider than it may be, and nothing moves the cursor", () => {
  fc.assert(
    fc.property(
      fc.array(anyNumber, { maxLength: 60 }),
      fc.integer({ min: 24, max: 120 }),
      fc.string({ unit: "binary" }),
      (values, width, name) => {
        for (const line of drawTerminal(makeCurve(name, values), { width })) {
          expect(measureWidth(line)).toBeLessThanOrEqual(width);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not pass
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      },
    ),
  );
});

test("whatever the numbers and names: the SVG is whole, and has no number that is none", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyNumber, { maxLength: 20 }),
      fc.string({ unit: "binary" }),
      async (values, name) => {
        const svg = drawSvg([{ name, series: makeCurve("m", values) }], {
          title: name,
          width: 200,
          height: 120,
        });
        expect(svg.replace(/>[^<]*</g, "><")).not.toMatch(/NaN|Infinity|undefined/);
        expect(await sharp(Buffer.from(svg)).metadata()).toMatchObject({ format: "svg", width: 200 });
      },
    ),
    { numRuns: 50 },
  );
});

test("steps as far apart as numbers go are drawn", () => {
  const places = [-1.7e308, 1.7e308];
  const points = places.map((step) => ({ metric: "m", value: 1, step, epoch: null, atMs: null }));
  const svg = drawSvg([{ name: "a", series: addPoints(makeSeries("m"), points) }]);
  expect(svg).not.toMatch(/NaN|Infinity/);
});

test("several curves share an axis that all of them have", () => {
  const stepless = {
    ...makeCurve("loss", [1, 2]),
    buckets: makeCurve("loss", [1, 2]).buckets.map((bucket) => ({ ...bucket, step: null })),
  };
  const first = { name: "a <b>", series: makeCurve("loss", [3, 1, Number.NaN]) };
  const both = drawSvg([first, { name: "c", series: stepless }], { title: "x & y" });
  expect(both).toContain(">point</text>");
  expect(drawSvg([first])).toContain(">step</text>");
  expect(both).toContain("a &#60;b&#62;: NaN (1 of 3 NaN or infinite)");
  expect(both).toContain(">x &#38; y</text>");
});

test("the PNG is the picture at twice its size", async () => {
  const png = await drawPng(
    drawSvg([{ name: "a", series: makeCurve("loss", [1, 2]) }], { width: 300, height: 200 }),
  );
  expect(await sharp(png).metadata()).toMatchObject({ format: "png", width: 600 });
  expect((await sharp(png).stats()).channels[0]?.min).toBeLessThan(100);
});

test.each([
  [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0.3, 2.7, [0.5, 1, 1.5, 2, 2.5]],
  [-5, 5, [-4, -2, 0, 2, 4]],
  [1000, 1004, [1000, 1001, 1002, 1003, 1004]],
])("ticks from %d to %d are round", (min, max, expected) => {
  expect(chooseTicks({ min, max }, 5)).toEqual(expected);
});

test("a scale has a width, and its labels differ", () => {
  expect(makeScale([2, 2])).toEqual({ min: 1.9, max: 2.1 });
  expect(makeScale([0])).toEqual({ min: -1, max: 1 });
  expect(makeScale([Number.NaN])).toBeNull();
  expect(makeScale([Number.MAX_VALUE])).toMatchObject({ max: Number.MAX_VALUE });
  expect(findShare({ min: 0, max: 5e-324 }, 0)).toBe(0.5);
  expect(makeScale(Array.from({ length: 200_000 }, (_, index) => index))).toEqual({ min: 0, max: 199_999 });
  expect(formatApart([1, 1 + 1e-15])).toEqual(["1", "1.000000000000001"]);
});

function makeCurve(metric: string, values: readonly number[]): Series {
  const points = values.map((value, step) => ({ metric, value, step, epoch: null, atMs: null }));
  return addPoints(makeSeries(metric), points);
}
