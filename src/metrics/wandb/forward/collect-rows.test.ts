import { expect, it } from "vitest";
import type { MetricPoint } from "../../metric-point.ts";
import { collectRows } from "./collect-rows.ts";

const point = (metric: string, value: number, step: number | null, more: Partial<MetricPoint> = {}) => ({
  ...{ metric, value, step, epoch: null, atMs: null, ...more },
});

it("makes a row of what stands at one place, however the points come", () => {
  const rows = collectRows();
  rows.add([point("loss", 2, 1, { atMs: 1500 })]);
  rows.add([point("lr", 0.1, 1), point("loss", Number.NaN, 2), point("__proto__", 3, 2)]);
  rows.add([point("acc", 0.5, null), point("acc", 0.6, null)]);
  const place = { epoch: null, at: null };
  expect(rows.list()).toEqual([
    { ...place, step: 1, at: 1.5, values: { loss: 2, lr: 0.1 } },
    { ...place, step: 2, values: { loss: "NaN", ["__proto__"]: 3 } },
    { ...place, step: null, values: { acc: 0.5 } },
    { ...place, step: null, values: { acc: 0.6 } },
  ]);
});

it("joins neighbours of a long log, and keeps a metric that is said rarely", () => {
  const rows = collectRows(10);
  for (let step = 0; step < 1000; step += 1) {
    rows.add([point("loss", step, step), ...(step % 250 === 0 ? [point("acc", step / 1000, step)] : [])]);
  }
  const all = rows.list();
  expect(all.length).toBeGreaterThanOrEqual(10);
  expect(all.length).toBeLessThan(20);
  expect(all.at(-1)).toMatchObject({ step: 999, values: { loss: 999 } });
  const losses = all.map(({ values }) => values["loss"]);
  expect(losses).toEqual(losses.toSorted((a, b) => Number(a) - Number(b)));
  expect(all.flatMap(({ values }) => values["acc"] ?? [])).toEqual([0, 0.25, 0.5, 0.75]);
});
