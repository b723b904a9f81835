import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import type { MetricPoint } from "../metric-point.ts";
import { parseLooseJson } from "./parse-loose-json.ts";
import { readFloat } from "./protobuf.ts";
import { readEvents } from "./read-events.ts";
import { isMetricFile, readMetricFile } from "./read-metric-file.ts";
import { readWandbRun } from "./read-wandb.ts";

const checkout = join(import.meta.dirname, "../../..");
/** Written by tensorboardX 2.6 with plain values, and with tensors as TensorFlow 2 writes them. */
const EVENTS = readFileSync(join(checkout, "fixtures/metrics/events.out.tfevents.1772359200.host"));
const folder = useTempFolder();

test.each<[string, string, [string, number, number | null, number | null][]]>([
  [
    "metrics.json",
    '{"loss": 0.5, "eval": {"acc": NaN}, "step": 7, "name": "a NaN", "seed": 1}',
    [
      ["loss", 0.5, 7, null],
      ["eval/acc", Number.NaN, 7, null],
      ["seed", 1, 7, null],
    ],
  ],
  [
    "metrics.json",
    `{"loss": [0.5, -Infinity, 0.25], "names": ["a"], "${"x".repeat(300)}": [1], "y": {"${"z".repeat(300)}": 1}}`,
    [
      ["loss", 0.5, 0, null],
      ["loss", Number.NEGATIVE_INFINITY, 1, null],
      ["loss", 0.25, 2, null],
    ],
  ],
  [
    "trainer_state.json",
    '{"best": null, "log_history": [{"loss": 2, "epoch": 0.5, "step": 10}, {"eval_loss": 1, "step": 20}]}',
    [
      ["loss", 2, 10, 0.5],
      ["eval_loss", 1, 20, null],
    ],
  ],
  [
    "metrics.jsonl",
    '{"step": 1, "loss": 0.5}\nbroken\n\n{"step": 2, "loss": -Infinity, "__proto__": 4}\n{"step": 3, "lo',
    [
      ["loss", 0.5, 1, null],
      ["loss", Number.NEGATIVE_INFINITY, 2, null],
      ["__proto__", 4, 2, null],
    ],
  ],
  [
    "wandb-history.jsonl",
    '{"_step": 0, "_runtime": 1.5, "_timestamp": 1700000000.25, "loss": 1}\n',
    [["loss", 1, 0, null]],
  ],
  ["wandb-summary.json", '{"_step": 9, "_wandb": {"runtime": 3}, "loss": 0.125}', [["loss", 0.125, 9, null]]],
  [
    "metrics.csv",
    'epoch,step,"train ""loss""",val_loss\r\n0,1,0.5,\r\n0,2,nan,0.75\r\n1,3,"1e-3",x\r\n1,4,0.',
    [
      ['train "loss"', 0.5, 1, 0],
      ['train "loss"', Number.NaN, 2, 0],
      ["val_loss", 0.75, 2, 0],
      ['train "loss"', 0.001, 3, 1],
    ],
  ],
  [
    "results.csv",
    "\ufeffstep;loss\n1;0,5\n2;-inf\n",
    [
      ["loss", 0.5, 1, null],
      ["loss", Number.NEGATIVE_INFINITY, 2, null],
    ],
  ],
  ["progress.csv", "iteration\tloss\n5\t1.5\n", [["loss", 1.5, 5, null]]],
])("%s, of its kind", async (name, text, expected) => {
  const path = write(name, text);
  expect(show((await readMetricFile(path)).points)).toEqual(expected);
});

test("what of a file cannot be read is told, and is no fault", async () => {
  const told = async (name: string, text: string) => (await readMetricFile(write(name, text))).problems;
  expect(await told("metrics.json", '{"loss": ')).toEqual(["it is no JSON, or not whole"]);
  expect(await told("metrics.json", "3")).toEqual(["it holds neither an object nor a list of objects"]);
  expect(await told("metrics.jsonl", "a\n{}\n")).toEqual(["line 1 is no JSON object"]);
  expect(await told("metrics.csv", "1,2\n3,4\n")).toEqual(["its first line is no header"]);
  expect(await told("metrics.csv", "a,b\n1\n1,2\n")).toEqual(["row 2 has 1 cells, not 2"]);
  expect(await told("metrics.csv", "")).toEqual(["its first line is no header"]);
  expect(await told("run-a.wandb", "text")).toEqual(["it is no offline run of W&B"]);
  expect((await readMetricFile(join(folder(), "no", "metrics.json"))).problems).toHaveLength(1);
  expect((await readMetricFile("train.py")).problems).toHaveLength(1);
  mkdirSync(join(folder(), "results.csv"));
  expect((await readMetricFile(join(folder(), "results.csv"))).problems).toEqual(["it is no ordinary file"]);
  expect(await told("metrics.jsonl", "a\n".repeat(9))).toHaveLength(6);
});

test("a text of quotes without end is looked at once", () => {
  const start = performance.now();
  expect(parseLooseJson(`"${'\\"'.repeat(100_000)}`)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(parseLooseJson('{"a \\" NaN": NaN, "b": -Infinity}')).toEqual({ 'a " NaN': "NaN", b: "-Infinity" });
});

test("a float that is cut is none", () => {
  expect(readFloat({ number: 1, wire: "bytes", value: Buffer.alloc(3) })).toBeNaN();
});

test.each([
  ["out/metrics.json", true],
  ["eval_metrics.json", true],
  ["events.out.tfevents.1700000000.host.1.0", true],
  ["wandb/run-20260301_100000-abc/run-abc.wandb", true],
  ["config.json", false],
  ["data.csv", false],
])("whether %s holds metrics: %s", (path, expected) => {
  expect(isMetricFile(path)).toBe(expected);
});

test("a TensorBoard file has plain scalars and tensors of one number; pictures and texts are none", () => {
  const { points, problems, end } = readEvents(EVENTS);
  expect(show(points)).toEqual([
    ["train/loss", 0.1, 1, null],
    ["train/loss", Number.NaN, 2, null],
    ["eval/acc", 0.875, 3, null],
    ["eval/float_val", 0.3, 3, null],
    ["eval/double", 0.7, 3, null],
    ["eval/count", 123456789, 3, null],
  ]);
  expect(points.slice(0, 2).map(({ atMs }) => atMs)).toEqual([1772359200000, 1772359201500]);
  expect({ problems, end }).toEqual({ problems: [], end: EVENTS.length });
});

test("a TensorBoard file may end anywhere, and is read on from where it was whole", () => {
  const whole = readEvents(EVENTS).points;
  fc.assert(
    fc.property(fc.nat(EVENTS.length), (length) => {
      const first = readEvents(EVENTS.subarray(0, length));
      expect(first.problems).toEqual([]);
      expect([...first.points, ...readEvents(EVENTS, first.end).points]).toEqual(whole);
    }),
  );
});

test("damage in a TensorBoard file is told, and what is taken is right", () => {
  const whole = readEvents(EVENTS).points.map((point) => JSON.stringify(point));
  fc.assert(
    fc.property(fc.nat(EVENTS.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(EVENTS);
      damaged[at] = (damaged[at] as number) ^ change;
      const { points, problems } = readEvents(damaged);
      expect(problems).toHaveLength(1);
      expect(points.every((point) => whole.includes(JSON.stringify(point)))).toBe(true);
    }),
  );
});

test("what the real W&B keeps of an offline run is read, and of half a file its half", async () => {
  const script = write("train.py", TRAIN);
  const python = join(checkout, ".venv/bin/python");
  const env = { ...process.env, WANDB_MODE: "offline", WANDB_SILENT: "true", HOME: folder() };
  const outcome = await makeLocalRunner().run([python, script], { cwd: folder(), env, timeoutMs: 50_000 });
  expect(outcome).toMatchObject({ exitCode: 0 });
  const file = readdirSync(folder(), { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith(".wandb"),
  );
  const path = join(folder(), file as string);
  const { points, problems } = await readMetricFile(path);
  expect(problems).toEqual([]);
  // W&B writes the metrics of a step in any order.
  const sorted = points.toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0) || a.metric.localeCompare(b.metric));
  expect(show(sorted)).toEqual([
    ["eval/acc", 0.5, 0, null],
    ["train/loss", 1, 0, null],
    ["eval/acc", 0.5, 1, null],
    ["train/loss", 0.5, 1, null],
    ["bad", Number.NaN, 10, null],
    ["best", Number.NEGATIVE_INFINITY, 10, null],
  ]);
  const bytes = readFileSync(path);
  fc.assert(
    fc.property(fc.nat(bytes.length), (length) => {
      const half = show(readWandbRun(bytes.subarray(0, length)).points);
      expect(half).toEqual(show(points).slice(0, half.length));
    }),
    { numRuns: 30 },
  );
});

/** The text spans several blocks of the file. */
const TRAIN = `import wandb

run = wandb.init(project="p", name="n")
for step in range(2):
    run.log({"train/loss": 1 / (step + 1), "eval": {"acc": 0.5}, "text": "x" * 80000})
run.log({"bad": float("nan"), "best": float("-inf")}, step=10)
run.finish()
`;

function write(name: string, text: string): string {
  const path = join(folder(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function show(points: readonly MetricPoint[]) {
  return points.map(({ metric, value, step, epoch }) => [metric, value, step, epoch]);
}
