import { expect, test } from "vitest";
import { openRunMetrics, type RunMetrics } from "./run-metrics.ts";

test("a run's metrics are read on where they were left, through the store", () => {
  const log = Buffer.from("step 1 loss 0.5\nstep 2 loss 0.25\nstep 3 loss 0.125 end");
  let metrics = openRunMetrics(undefined);
  while (metrics.offset < log.length) {
    metrics.addBytes(log.subarray(metrics.offset, metrics.offset + 7));
    metrics = openRunMetrics(JSON.parse(JSON.stringify(metrics.save())));
  }
  metrics.end();
  expect(listLast(metrics)).toEqual([0.5, 0.25, 0.125]);
});

test("a log that was cut off is read again from its beginning; what was read stays", () => {
  const metrics = openRunMetrics(null);
  metrics.addBytes(Buffer.from("loss 0.5\nhalf"));
  metrics.restartLog();
  expect(metrics.offset).toBe(0);
  metrics.addBytes(Buffer.from("loss 0.25\n"));
  expect(listLast(metrics)).toEqual([0.5, 0.25]);
});

test("points from files join those of the log", () => {
  const metrics = openRunMetrics("nothing that was stored", ["L=(?<loss>.+)"]);
  metrics.addBytes(Buffer.from("L=1\n"));
  metrics.addPoints([{ metric: "loss", value: 2, step: null, epoch: null, atMs: null }]);
  metrics.addPoints([]);
  expect(listLast(metrics)).toEqual([1, 2]);
});

function listLast({ set }: RunMetrics): (number | undefined)[] | undefined {
  return set.series.get("loss")?.buckets.map(({ last }) => last);
}
