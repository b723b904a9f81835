import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { CHECKOUT } from "../../../test/support/contestant.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import {
  listScripts,
  type OfflineRun,
  readScriptFile,
  readScriptTable,
  runScripts,
  type ScriptJob,
  type ScriptOutcome,
  type ScriptRow,
} from "../../../test/support/training-scripts.ts";
import { decodeScript } from "./decode-script.ts";
import { instrumentBytes, restoreBytes } from "./instrument-bytes.ts";
import { instrumentScript } from "./instrument-script.ts";
import { readScript } from "./read-script.ts";

const rows = readScriptTable();
const folder = useTempFolder();

/** What is run where the script is only a part. */
const MAIN: Record<string, string> = { "multi_file/trainer.py": "main.py" };
/** Exit codes of scripts that fail, which their runs have too. */
const FAILING: Record<string, number> = { "fails_midway.py": 1, "fails_at_top.py": 1 };

/** What a run has as its configuration; a token is left out. */
const CONFIGURATIONS = {
  "mnist_argparse.py": {
    batch_size: 8,
    epochs: 2,
    lr: 1,
    gamma: 0.7,
    dry_run: false,
    seed: 1,
    log_interval: 10,
  },
  "accumulate_amp.py": { batch_size: 4, epochs: 2, accum_iter: 2, lr: 0.001, output_dir: "./output_dir" },
  "mnist_plain.py": { EPOCHS: 2, BATCH_SIZE: 8, LEARNING_RATE: 0.001 },
  "click_app.py": { epochs: 2, lr: 0.01, batch_size: 8 },
  "spawn_ddp.py": { world_size: 2, epochs: 2, batch_size: 8, lr: 0.01 },
  "hydra_app.py": {
    seed: 7,
    epochs: 2,
    data: { train_size: 32, val_size: 16, batch_size: 8 },
    model: { hidden: 64 },
    optim: { lr: 0.001, weight_decay: 0.01, clip: 1 },
  },
};
/** The stand-in's loss at each of twelve steps. */
const FALLING = Array.from({ length: 12 }, (_, step) => 2 / (1 + 0.1 * step));

test("each script has its row", () => {
  expect(rows.map(({ file }) => file).sort()).toEqual(listScripts());
});

test.each(rows)("$file is read as its row says", async ({ file, framework, loops, metrics, refused }) => {
  const { text } = decodeScript(readScriptFile(file));
  const reading = await readScript(text);
  expect({ framework: reading.framework, loops: reading.loops.map((loop) => loop.function ?? "-") }).toEqual({
    framework,
    loops,
  });
  const made = instrumentScript(text, reading);
  if (refused !== null) expect("refused" in made && `${made.refused} (line ${made.line})`).toBe(refused);
  else
    expect("metrics" in made ? made.metrics.map(({ key }) => key).sort() : made).toEqual([...metrics].sort());
});

test.each(rows)("$file gets the same lines again, and is itself without them", async ({ file }) => {
  const bytes = readScriptFile(file);
  const { outcome } = await instrumentBytes(bytes, file);
  if ("refused" in outcome) return;
  const again = await instrumentBytes(outcome.bytes, file);
  expect(again.outcome).toMatchObject({ text: outcome.text, isChanged: false, diff: "" });
  expect(restoreBytes(outcome.bytes).equals(bytes)).toBe(true);
});

test("each instrumented script logs what its row says, with the real W&B offline", {
  timeout: 180_000,
}, async () => {
  const wanted = rows.filter(({ refused }) => refused === null);
  const second = (await Promise.all(["torchrun_ddp.py", "mnist_plain.py"].map(writeInstrumented))).map(
    (job) => ({ ...job, name: `second ${job.name}`, env: { RANK: "1" } }),
  );
  const jobs = [...(await Promise.all(wanted.map(({ file }) => writeInstrumented(file)))), ...second];
  const outcomes = await runScripts(jobs, folder());
  const byName = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
  expect([...byName.keys()].sort()).toEqual(jobs.map(({ name }) => name).sort());
  expect(wanted.flatMap((row) => checkOutcome(row, byName.get(row.file)))).toEqual([]);
  // Of processes that train together only the first has a run.
  for (const { name } of second) expect(byName.get(name)).toMatchObject({ exit: 0, runs: [] });
  for (const [file, config] of Object.entries(CONFIGURATIONS))
    expect(byName.get(file)?.runs[0]?.config).toEqual(config);
  expect(byName.get("mnist_plain.py")?.runs[0]?.history.map((row) => row["train/loss"])).toEqual(FALLING);
});

async function writeInstrumented(file: string): Promise<ScriptJob> {
  const home = mkdtempSync(join(folder(), "run-"));
  cpSync(join(CHECKOUT, "fixtures", "scripts", dirname(file)), join(home, "code"), { recursive: true });
  const { outcome } = await instrumentBytes(readScriptFile(file), file);
  if ("bytes" in outcome) writeFileSync(join(home, "code", basename(file)), outcome.bytes);
  return { name: file, script: join(home, "code", MAIN[file] ?? basename(file)), folder: home };
}

function checkOutcome({ file, metrics }: ScriptRow, outcome: ScriptOutcome | undefined): string[] {
  const { exit, stderr, runs } = outcome ?? { exit: null, stderr: "", runs: [] };
  const faults = checkRun(file, metrics, runs);
  if (exit !== (FAILING[file] ?? 0)) faults.push(`exit ${exit}`);
  if (/W&B does not get/.test(stderr)) faults.push("told of a metric that is none");
  return faults.map((fault) => `${file}: ${fault}\n${stderr.slice(-2000)}`);
}

function checkRun(file: string, metrics: string[], runs: OfflineRun[]): string[] {
  const run = runs[0];
  if (runs.length !== 1 || run === undefined) return [`${runs.length} runs`];
  const faults = metrics.filter((key) => !run.history.some((row) => Number.isFinite(row[key])));
  const steps = run.history.map((row) => Number(row["_step"]));
  const isRising = steps.every((step, index) => index === 0 || step > (steps[index - 1] ?? 0));
  const named = { id: run.id, project: run.project, name: run.name, exit: run.exit };
  const expected = { id: "run1", project: "digits", name: "first try", exit: FAILING[file] ?? 0 };
  return [
    ...faults.map((key) => `no ${key}`),
    ...(isRising ? [] : [`steps ${steps.join(" ")}`]),
    ...(isDeepStrictEqual(named, expected) ? [] : [JSON.stringify(named)]),
    ...(Object.keys(run.config).length > 0 ? [] : ["no configuration"]),
  ];
}
