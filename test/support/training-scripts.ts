import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { CHECKOUT } from "./contestant.ts";

const PYTHON = join(CHECKOUT, ".venv", "bin", "python");
const RUN_TIMEOUT_MS = 170_000;

/** A row of the table in `fixtures/scripts/README.md`. */
export interface ScriptRow {
  file: string;
  framework: string;
  loops: string[];
  metrics: string[];
  refused: string | null;
}

/** What W&B kept of an offline run. */
export interface OfflineRun {
  id: string;
  project: string;
  name: string;
  config: Record<string, unknown>;
  history: Record<string, unknown>[];
  exit: number | null;
}

export function readScriptTable(): ScriptRow[] {
  const text = readFileSync(join(CHECKOUT, "fixtures", "scripts", "README.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([^`]+)` \| (\S+) \|([^|]*)\| (?:refused: ([^|]+)|([^|]*)) \|$/gm)];
  return rows.map(([, file = "", framework = "", loops = "", refused, metrics = ""]) => ({
    file,
    framework,
    loops: loops.trim().split(/\s+/).filter(Boolean),
    metrics: metrics.trim().split(/\s+/).filter(Boolean),
    refused: refused?.trim() ?? null,
  }));
}

/** The scripts of the folder, those in its folders too. */
export function listScripts(): string[] {
  const folder = join(CHECKOUT, "fixtures", "scripts");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /\.(py|ipynb)$/.test(file)).sort();
}

export function readScriptFile(file: string): Buffer {
  return readFileSync(join(CHECKOUT, "fixtures", "scripts", file));
}

/** A script to be run: W&B keeps its run in `folder`. */
export interface ScriptJob {
  name: string;
  script: string;
  folder: string;
  /** Set beside what all scripts get. */
  env?: Record<string, string>;
}

export interface ScriptOutcome {
  name: string;
  exit: number;
  stderr: string;
  runs: OfflineRun[];
}

/** Runs scripts, two at a time, with stand-ins for torch and its kind, and the real W&B offline. */
export async function runScripts(jobs: ScriptJob[], home: string): Promise<ScriptOutcome[]> {
  const outcome = await makeLocalRunner().run([PYTHON, join(CHECKOUT, "test", "support", "run_scripts.py")], {
    stdin: JSON.stringify(jobs),
    env: {
      ...process.env,
      PYTHONPATH: join(CHECKOUT, "fixtures", "stand-ins"),
      PYTHONDONTWRITEBYTECODE: "1",
      STAND_IN_CUDA: "1",
      WANDB_MODE: "offline",
      WANDB_PROJECT: "digits",
      WANDB_NAME: "first try",
      WANDB_RUN_ID: "run1",
      WANDB_SILENT: "true",
      WANDB_ERROR_REPORTING: "false",
      HOME: home,
    },
    timeoutMs: RUN_TIMEOUT_MS,
  });
  if (outcome.exitCode !== 0) throw new Error(outcome.stderr);
  return outcome.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ScriptOutcome);
}
