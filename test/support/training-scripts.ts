import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { CHECKOUT } from "./contestant.ts";

const PYTHON = join(CHECKOUT, ".venv", "bin", "python");
const RUN_TIMEOUT_MS = 60_000;

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
  const rows = [...text.matchAll(/^\| `([^`]+)` \| (\S+) \| ([^|]*) \| (?:refused: ([^|]+)|([^|]*)) \|$/gm)];
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

/** Compiles and runs a script in a folder of its own, with stand-ins for torch and its kind, and W&B offline. */
export async function runScript(folder: string, script: string, args: string[] = []) {
  mkdirSync(join(folder, "wandb"), { recursive: true });
  const outcome = await makeLocalRunner().run([PYTHON, script, ...args], {
    cwd: dirname(script),
    env: {
      ...process.env,
      PYTHONPATH: join(CHECKOUT, "fixtures", "stand-ins"),
      PYTHONDONTWRITEBYTECODE: "1",
      STAND_IN_CUDA: "1",
      WANDB_MODE: "offline",
      WANDB_PROJECT: "digits",
      WANDB_NAME: "first try",
      WANDB_RUN_ID: "run1",
      WANDB_DIR: folder,
      WANDB_SILENT: "true",
      WANDB_ERROR_REPORTING: "false",
      HOME: folder,
    },
    timeoutMs: RUN_TIMEOUT_MS,
  });
  return { ...outcome, runs: await readRuns(folder) };
}

async function readRuns(folder: string): Promise<OfflineRun[]> {
  const files = readdirSync(join(folder, "wandb"), { recursive: true, encoding: "utf8" });
  const kept = files.filter((file) => /^offline-run-[^/]*\/run-\w+\.wandb$/.test(file));
  const reader = join(CHECKOUT, "test", "support", "read_offline_run.py");
  const runs = kept.map(async (file) => {
    const argv = [PYTHON, reader, join(folder, "wandb", file)];
    const { stdout } = await makeLocalRunner().run(argv, { timeoutMs: RUN_TIMEOUT_MS });
    return JSON.parse(stdout) as OfflineRun;
  });
  return await Promise.all(runs);
}

export function writeScript(folder: string, file: string, content: string | Uint8Array): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
