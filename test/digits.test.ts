import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeLocalRunner } from "../src/process/local-runner.ts";
import { useTempFolder } from "./support/temp-folder.ts";

const example = join(import.meta.dirname, "..", "examples", "digits");
const folder = useTempFolder();

test("the split holds every picture once, and is what its script makes", async () => {
  const split: Record<string, number[]> = JSON.parse(readFileSync(join(example, "split.json"), "utf8"));
  const rows = Object.values(split).flat();
  expect(Object.keys(split)).toEqual(["train", "validation", "test"]);
  expect(new Set(rows).size).toBe(1797);
  expect(rows.length).toBe(1797);

  const script = "import json, make_split as m; print(json.dumps(m.make_split(m.load_digits(), m.SEED)))";
  expect(JSON.parse(await runPython(["-c", script]))).toEqual(split);
});

test("a short training writes metrics and a confusion table, and the same seed gives the same numbers", async () => {
  const first = await train("first");
  const second = await train("second");

  expect(first.metrics.epochs).toHaveLength(3);
  expect(first.metrics.epochs[1].loss).toBeLessThan(first.metrics.epochs[0].loss);
  expect(first.metrics.test_accuracy).toBeGreaterThan(0.92);
  expect(second.metrics.epochs).toEqual(first.metrics.epochs);
  expect(second.confusion).toBe(first.confusion);

  const counts = first.confusion.trimEnd().split("\n").slice(1).map(readCounts);
  expect(counts).toHaveLength(10);
  expect(counts.flat().reduce((sum, count) => sum + count, 0)).toBe(359);
  expect(first.output).toMatch(/\repoch {2}1\/3 +51% \|#{10}\.{10}\| \[\d\d:\d\d<\d\d:\d\d\] loss \d/);
  expect(first.output).toMatch(/epoch {2}3\/3 {2}loss \d\.\d+ {2}accuracy \d+\.\d%/);
  expect(first.output).toMatch(/test accuracy \d+\.\d% \(\d+ of 359 right\)/);
});

async function train(name: string) {
  const results = join(folder(), name);
  const output = await runPython(["train.py", "--epochs", "3", "--results", results]);
  const metrics = JSON.parse(readFileSync(join(results, "metrics.json"), "utf8"));
  return { output, metrics, confusion: readFileSync(join(results, "confusion.txt"), "utf8") };
}

async function runPython(args: string[]): Promise<string> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const outcome = await makeLocalRunner().run(["python3", ...args], { cwd: example, env, timeoutMs: 50_000 });
  expect(outcome.stderr).toBe("");
  expect(outcome.exitCode).toBe(0);
  return outcome.stdout;
}

/** The cells of one row of the confusion table; `.` stands for none. */
function readCounts(row: string): number[] {
  return row
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((cell) => (cell === "." ? 0 : Number(cell)));
}
