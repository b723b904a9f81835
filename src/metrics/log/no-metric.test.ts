import { expect, test } from "vitest";
import { makeMetricReader } from "./metric-reader.ts";
import { NO_METRICS } from "./no-metric.ts";

const examples = NO_METRICS.flatMap(({ what, examples }) => examples.map((line) => [what, line] as const));

test.each(examples)("%s: %s", (_, line) => {
  expect(readMetrics(line)).toEqual([]);
});

test.each([
  ["lr: 1e-4", { lr: 0.0001 }],
  ["Accuracy: 91%", { Accuracy: 91 }],
  ["val_loss=0.41 seed=7", { val_loss: 0.41 }],
  ["eval_runtime_error: 3", { eval_runtime_error: 3 }],
  ["best val loss 0.25 at step 100", { best_val_loss: 0.25 }],
  ["F1: 0.5, BLEU = 27.25, PSNR=30.5", { F1: 0.5, BLEU: 27.25, PSNR: 30.5 }],
  ["my_own_number: 3.5", { my_own_number: 3.5 }],
  ["loss=-0.5 kl=-inf", { loss: -0.5, kl: Number.NEGATIVE_INFINITY }],
  ["损失：0.5 准确率: 0.9", { 损失: 0.5, 准确率: 0.9 }],
  ["loss: tensor(0.5, device='cuda:0', grad_fn=<NllLossBackward>)", { loss: 0.5 }],
  ["loss: 0.5.", { loss: 0.5 }],
  ["acc: 0.5 (best: 0.75)", { acc: 0.5, best: 0.75 }],
  ['  "loss": 0.5,', { loss: 0.5 }],
  ["\u001b[32mloss\u001b[0m: \u001b[1m0.5\u001b[0m", { loss: 0.5 }],
  ["gpu/memory_used=812.5", { "gpu/memory_used": 812.5 }],
  ["samples_per_sec: 120.5, tokens/sec: 1.2e5", { samples_per_sec: 120.5, "tokens/sec": 120000 }],
  [
    '{"train_loss": "0.500", "version": "2.1", "id": "7", "x": "NaN", "update": 3}',
    { train_loss: 0.5, x: Number.NaN },
  ],
  ["tokens: 1,234,567", { tokens: 1234567 }],
])("%s", (line, expected) => {
  expect(readMetrics(line)).toEqual(Object.entries(expected));
});

test.each([
  "Using 4 GPUs and 16 workers",
  '  File "train.py", line 33, in main',
  "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity)",
  "size mismatch: 3 vs 5",
  "    return 0",
  "exit with error 1",
  "if x == 3 and y <= 4 and z != 5:",
  "Downloading: 100%|██████| 1.2G/1.2G [00:10<00:00, 120MB/s]",
  "Adam(lr=0.1, betas=(0.9, 0.999), eps=1e-08)",
  "shape: [3, 224, 224] betas=(0.9, 0.999)",
  "x: 0,5",
  "- loss: - ; acc: n/a",
  "2026-03-01 10:00:00,123 10:00 10/12/2025 1.2.3 v2.0 0xff",
])("no metric: %s", (line) => {
  expect(readMetrics(line)).toEqual([]);
});

function readMetrics(line: string): [string, number][] {
  return makeMetricReader()
    .read(Buffer.from(`${line}\n`))
    .map(({ metric, value }) => [metric, value]);
}
