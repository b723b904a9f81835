import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCsv } from "../files/parse-csv.ts";
import { addToSet, makeSeriesSet } from "../series/series-set.ts";
import { compareRuns } from "./compare-runs.ts";
import { makeComparisonTable } from "./comparison-table.ts";
import type { ComparedRun } from "./group-runs.ts";
import { renderCsv, renderJson, renderMarkdown } from "./render-comparison.ts";

const RUNS = [
  makeRun("a1", "small", { lr: "0.1", seed: "1" }, { acc: [0.5, 0.8], loss: [2, 1] }),
  makeRun("a2", "small", { lr: "0.1", seed: "2" }, { acc: [0.5, 0.9], loss: [2, 3] }, "failed"),
  makeRun("b", "large", { lr: "0.2", seed: "1", wide: "true" }, { acc: [0.9, 0.95] }, "running", "tree 2"),
  makeRun("c", "other|one", { lr: "0.1" }, { loss: [1, Number.NaN] }),
];

test("the table: experiment, metric, delta to the baseline, status", () => {
  const { columns, rows } = makeComparisonTable(compareRuns(RUNS, { baseline: "a1" }));
  expect(columns.map(({ title }) => title)).toEqual([
    "experiment",
    "metric",
    "value",
    "delta",
    "status",
    "flags",
  ]);
  expect(rows).toEqual([
    ["small", "acc", "0.85 ± 0.07071 (2)", "baseline", "1 succeeded, 1 failed", ""],
    ["large", "acc", "0.95", "+0.1 (+11.8%)", "running", ""],
    ["other|one", "acc", "-", "-", "succeeded", ""],
    ["small", "loss", "2 ± 1.414 (2)", "baseline", "1 succeeded, 1 failed", ""],
    ["large", "loss", "-", "-", "running", ""],
    [
      "other|one",
      "loss",
      "NaN",
      "NaN",
      "succeeded",
      "1 of 2 values are NaN or infinite, the first at step 1 or soon after",
    ],
  ]);
});

test("runs that differ by the seed alone are one experiment", () => {
  const experiments = compareRuns(RUNS, { metrics: ["acc"] }).rows.map(({ runs }) => runs);
  expect(experiments).toEqual([["a1", "a2"], ["b"], ["c"]]);
  const twins = [1, 1, 2].map((seed, index) => makeRun(`t${index}`, "t", { seed: `${seed}` }, { acc: [1] }));
  expect(compareRuns(twins).rows.map(({ runs }) => runs)).toEqual([["t0", "t2"], ["t1"]]);
  const unseeded = [1, 2].map((index) => makeRun(`u${index}`, "u", {}, { acc: [1] }));
  expect(compareRuns(unseeded).rows.map(({ runs }) => runs)).toEqual([["u1"], ["u2"]]);
  const otherCode = ["x", "y"].map((code, index) =>
    makeRun(code, "k", { seed: `${index}` }, { acc: [1] }, "succeeded", code),
  );
  expect(compareRuns(otherCode).rows.map(({ runs }) => runs)).toEqual([["x"], ["y"]]);
});

test("runs that end with the same value do not deviate", () => {
  const same = [1, 2, 3].map((seed) => makeRun(`s${seed}`, "s", { seed: `${seed}` }, { lr: [0.7] }));
  expect(compareRuns(same).rows).toMatchObject([{ value: 0.7, deviation: 0, count: 3 }]);
});

test("differences of parameters and code to the baseline", () => {
  expect(compareRuns(RUNS, { baseline: "a2" }).differences).toEqual([
    {
      experiment: "large",
      parameters: [
        { name: "lr", baseline: "0.1", value: "0.2" },
        { name: "wide", baseline: null, value: "true" },
      ],
      code: "differs",
    },
    { experiment: "other|one", parameters: [], code: "same" },
  ]);
});

test("the last, smallest or largest value counts", () => {
  const read = (value: "last" | "min" | "max") =>
    compareRuns(RUNS, { metrics: ["loss"], value }).rows[0]?.value;
  expect([read("last"), read("min"), read("max")]).toEqual([2, 1.5, 2.5]);
});

test("metrics are found in any case, and unknown ones are named", () => {
  expect(compareRuns(RUNS, { metrics: ["ACC"] }).rows[0]).toMatchObject({ metric: "acc" });
  expect(() => compareRuns(RUNS, { metrics: ["los"] })).toThrow(
    expect.objectContaining({ code: "metric_unknown", hint: "Did you mean loss?" }),
  );
  expect(() => compareRuns([], { metrics: ["x"] })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("No numbers were found") }),
  );
  expect(() => compareRuns(RUNS, { baseline: "z" })).toThrow(
    expect.objectContaining({ code: "baseline_unknown" }),
  );
});

test("Markdown, in which no name breaks the table", () => {
  expect(renderMarkdown(compareRuns(RUNS, { baseline: "a1", metrics: ["loss"] }))).toBe(
    `| experiment | metric | value | delta | status | flags |
| --- | --- | ---: | ---: | --- | --- |
| small | loss | 2 ± 1.414 (2) | baseline | 1 succeeded, 1 failed |  |
| large | loss | - | - | running |  |
| other\\|one | loss | NaN | NaN | succeeded | 1 of 2 values are NaN or infinite, the first at step 1 or soon after |

- large: lr 0.1 → 0.2; wide (not set) → true; the code differs
- other\\|one: no difference
`,
  );
});

test("CSV gives back every name and number", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.double({ noNaN: true }), (name, value) => {
      const { records } = parseCsv(
        renderCsv(compareRuns([makeRun("a", name, {}, { [`m${name}`]: [value] })])),
      );
      expect(records[0]?.slice(0, 3)).toEqual(["experiment", "metric", "value"]);
      expect(records[1]?.slice(0, 2)).toEqual([name, `m${name}`]);
      expect(Number(records[1]?.[2])).toBe(value + 0);
    }),
  );
});

test("CSV holds nothing that moves a terminal's cursor", () => {
  const csv = renderCsv(compareRuns([makeRun("a", "a\u001b[2J", {}, { "m\u009b,2": [1] })]));
  expect(csv.split("\r\n")[1]).toMatch(/^a\\x1b\[2J,"m\\x9b,2",1,/);
});

test("JSON has words for NaN and infinities", () => {
  const document = JSON.parse(renderJson(compareRuns(RUNS, { baseline: "a1", metrics: ["loss"] })));
  expect(document).toMatchObject({ schema: 1, baseline: "small", value: "last" });
  expect(document.rows[2]).toMatchObject({ experiment: "other|one", value: "NaN", delta: "NaN", count: 1 });
  expect(document.rows[1]).toMatchObject({ value: null, delta: null, deviation: null, count: 0 });
});

function makeRun(
  id: string,
  name: string,
  parameters: Record<string, string>,
  metrics: Record<string, number[]>,
  status = "succeeded",
  code = "tree 1",
): ComparedRun {
  const points = Object.entries(metrics).flatMap(([metric, values]) =>
    values.map((value, step) => ({ metric, value: value + 0, step, epoch: null, atMs: null })),
  );
  const { series } = addToSet(makeSeriesSet(), points);
  return { id, name, status, parameters: new Map(Object.entries(parameters)), code, series };
}
