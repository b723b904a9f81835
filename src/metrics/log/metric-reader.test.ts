import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MetricPoint } from "../metric-point.ts";
import { makeMetricReader } from "./metric-reader.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/metrics");

/** `[metric, value, step, epoch]`, and the time where the log tells one. */
type Expected = [string, number, number | null, number | null, string?];

/** Written by hand from the logs, line by line. */
const logs: Record<string, Expected[]> = {
  "json-lines.log": [
    ["train/loss", 2.5, 1, null, "2026-03-01T10:00:00.000Z"],
    ["train/lr", 0.001, 1, null, "2026-03-01T10:00:00.000Z"],
    ["train/loss", Number.NaN, 2, null, "2026-03-01T10:00:01.500Z"],
    ["train/lr", 0.001, 2, null, "2026-03-01T10:00:01.500Z"],
    ["train/loss", 1.25, 3, null],
    ["train/lr", 0.0001, 3, null],
    ["eval/accuracy", 0.875, null, 1],
    ["__proto__", 3, null, 1],
    ["constructor", -1, null, 1],
  ],
  "key-value.log": [
    ["loss", 0.9123, 100, null, "2026-03-01T10:00:05.000Z"],
    ["acc", 45.5, 100, null, "2026-03-01T10:00:05.000Z"],
    ["lr", 0.0001, 100, null, "2026-03-01T10:00:05.000Z"],
    ["loss", 0.5, 200, null, "2026-03-01T08:00:06.000Z"],
    ["acc", 50, 200, null, "2026-03-01T08:00:06.000Z"],
    ["lr", 0.0001, 200, null, "2026-03-01T08:00:06.000Z"],
    ["loss", Number.POSITIVE_INFINITY, 300, null],
    ["acc", Number.NaN, 300, null],
    ["grad_norm", 12.5, 300, null],
  ],
  "python-logging.log": [
    ["Loss", 0.6875, null, 1],
    ["Val_Loss", 0.7012, null, 1],
    ["Learning_rate", 0.001, null, 1],
    ["Loss", 0.5, null, 2],
    ["Val_Loss", 0.55, null, 2],
    ["Learning_rate", 0.0005, null, 2],
    ["Average_loss", 0.0534, null, 2],
    ["Accuracy", 0.9829, null, 2],
  ],
  "tqdm.log": [
    ["loss", 0.9, 1, 1],
    ["acc", 0.25, 1, 1],
    ["loss", 0.8, 2, 1],
    ["acc", 0.5, 2, 1],
    ["loss", 0.6, 4, 1],
    ["acc", 0.75, 4, 1],
    ["loss", 0.5, 2, 2],
    ["acc", 0.8, 2, 2],
    ["loss", 0.4, 4, 2],
    ["acc", 0.9, 4, 2],
  ],
  "keras.log": [
    ["loss", 0.9, 1, 1],
    ["accuracy", 0.25, 1, 1],
    ["loss", 0.8, 2, 1],
    ["accuracy", 0.5, 2, 1],
    ["loss", 0.7, 4, 1],
    ["accuracy", 0.625, 4, 1],
    ["val_loss", 0.65, 4, 1],
    ["val_accuracy", 0.75, 4, 1],
    ["accuracy", 0.875, 4, 2],
    ["loss", 0.4, 4, 2],
    ["val_loss", 0.5, 4, 2],
  ],
  "hugging-face.log": [
    ["loss", 2.3125, null, 0.33],
    ["grad_norm", 1.5, null, 0.33],
    ["learning_rate", 0.00005, null, 0.33],
    ["loss", 1.5, null, 0.67],
    ["grad_norm", Number.NaN, null, 0.67],
    ["learning_rate", 0.000025, null, 0.67],
    ["eval_loss", 1.25, null, 1],
    ["eval_accuracy", 0.625, null, 1],
    ["eval_loss", 1.25, null, 1],
  ],
  "lightning.log": [
    ["train_loss_step", 0.9, 1, 0],
    ["train_loss_step", 0.8, 2, 0],
    ["val_loss", 0.7, 2, 0],
    ["train_loss_epoch", 0.85, 2, 0],
    ["train_loss_step", 0.523, 2, 1],
    ["val_loss", 0.6, 2, 1],
    ["test_acc", 0.9375, null, 1],
  ],
  "steps.log": [
    ["train_loss", 4.2874, 0, null],
    ["val_loss", 4.2823, 0, null],
    ["loss", 4.2654, 0, null],
    ["mfu", -100, 0, null],
    ["loss", 3.1, 10, null],
    ["mfu", 3.2, 10, null],
    ["loss", 2.5, 20, null],
    ["lr", 0.0003, 20, null],
    ["learning_rate", 0.00015, 30, null],
    ["lm_loss", 10.8, 30, null],
    ["loss", 5.2, 40, 1],
    ["ppl", 36.7, 40, 1],
    ["wps", 5000, 40, 1],
    ["loss", 2.25, 50, 1],
    ["Loss", 0.2345, 60, 3],
  ],
  "vision.log": [
    ["Loss", 2.300012, 640, 1],
    ["Loss", 6.9, 10, 2],
    ["Acc@1", 0.39, 10, 2],
    ["Acc@5", 1.17, 10, 2],
    ["lr", 0.001978, 50, 3],
    ["loss", 1.2, 50, 3],
    ["loss_cls", 0.7, 50, 3],
    ["lr", 0.02, 100, 4],
    ["loss", 1.1, 100, 4],
    ["train/loss", 0.5, null, 4],
    ["train/acc", 0.8, null, 4],
    ["val/loss", 0.6, null, 4],
    ["val/acc", 0.7, null, 4],
  ],
  "boosting.log": [
    ["train-rmse", 0.51234, 0, null],
    ["eval-rmse", 0.6, 0, null],
    ["train-rmse", 0.41234, 1, null],
    ["eval-rmse", 0.55, 1, null],
    ["training_binary_logloss", 0.25, 100, null],
    ["valid_0_binary_logloss", 0.5, 100, null],
    ["learn", 0.5, 200, null],
    ["test", 0.625, 200, null],
    ["best", 0.55, 200, null],
    ["ep_rew_mean", 21.3, null, null],
  ],
  "two-processes.log": [
    ["loss", 0.5, 10, 1],
    ["loss (rank 1)", 0.75, 12, 2],
    ["accuracy (rank 1)", 0.25, null, 2],
    ["accuracy", 0.5, null, 1],
    ["loss", 0.4, 20, 1],
    ["loss", 0.3, 20, 1],
  ],
};

test.each(Object.entries(logs))("%s", (file, expected) => {
  const reader = makeMetricReader();
  const bytes = readFileSync(join(fixtures, file));
  expect(show([...reader.read(bytes), ...reader.end()])).toEqual(expected);
  expect(reader.offset).toBe(bytes.length);
});

test("how a log is cut into pieces, and whether the reader was saved between them, changes nothing", () => {
  const all = Buffer.concat(Object.keys(logs).map((file) => readFileSync(join(fixtures, file))));
  const whole = readInPieces(all, []);
  expect(whole.length).toBeGreaterThan(90);
  const cuts = fc.array(fc.tuple(fc.nat(all.length), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(cuts, (places) => {
      expect(readInPieces(all, places)).toEqual(whole);
    }),
    { numRuns: 100 },
  );
});

test("any bytes are read, in any pieces, to the same end", () => {
  const parts = fc.constantFrom(
    ..."{}'\":=,|/-.[]()5 \t\r\n\u001b\b損█",
    "nan",
    "1e-3",
    "loss",
    "step",
    "epoch",
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(parts, { maxLength: 80 }).map((list) => new Uint8Array(Buffer.from(list.join("")))),
  );
  const cuts = fc.array(fc.tuple(fc.nat(300), fc.boolean()), { maxLength: 5 });
  fc.assert(
    fc.property(bytes, cuts, (all, places) => {
      expect(readInPieces(Buffer.from(all), places)).toEqual(readInPieces(Buffer.from(all), []));
    }),
    { numRuns: 500 },
  );
});

/** Cuts at these places; where `true` goes with one, another reader goes on from the saved state. */
function readInPieces(bytes: Buffer, places: readonly (readonly [number, boolean])[]): MetricPoint[] {
  let reader = makeMetricReader();
  let from = 0;
  const points: MetricPoint[] = [];
  for (const [to, isSaved] of places.toSorted(([a], [b]) => a - b)) {
    const end = Math.min(to, bytes.length);
    points.push(...reader.read(bytes.subarray(from, end)));
    from = end;
    if (isSaved) reader = makeMetricReader({ state: JSON.parse(JSON.stringify(reader.save())) });
  }
  points.push(...reader.read(bytes.subarray(from)));
  return [...points, ...reader.end()];
}

function show(points: readonly MetricPoint[]): Expected[] {
  return points.map(({ metric, value, step, epoch, atMs }) =>
    atMs === null ? [metric, value, step, epoch] : [metric, value, step, epoch, new Date(atMs).toISOString()],
  );
}
