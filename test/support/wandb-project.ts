import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "./contestant.ts";
import { useSortie } from "./sortie.ts";
import type { OfflineRun } from "./training-scripts.ts";

/** Has the real wandb; it is what `npm test` prepares. */
export const PYTHON_WITH_WANDB = join(CHECKOUT, ".venv", "bin", "python");
/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";

/**
 * `const project = useWandbProject()` beside the tests: a plain training script in a project whose file says `wandb: true`,
 * with stand-ins for torch and the real W&B, which reaches nothing but this machine.
 */
export function useWandbProject() {
  const sortie = useSortie();
  const path = (...parts: string[]) => join(sortie.project(), ...parts);
  const env = {
    PYTHONPATH: join(CHECKOUT, "fixtures", "stand-ins"),
    PYTHONDONTWRITEBYTECODE: "1",
    STAND_IN_CUDA: "1",
    WANDB_API_KEY: undefined,
    WANDB_MODE: undefined,
    WANDB_PROJECT: undefined,
    WANDB_BASE_URL: NOWHERE,
    WANDB_SILENT: "true",
    WANDB_ERROR_REPORTING: "false",
  };

  /** The section of the project's file; a line each. */
  const configure = (...lines: string[]) => {
    const all = ["gpu: local", `python: ${PYTHON_WITH_WANDB}`, ...lines];
    writeFileSync(path("AGENTS.md"), `## Local Environment\n${all.map((line) => `- ${line}\n`).join("")}`);
  };
  /** Puts a script of the fixtures there, by another name, and answers its text. */
  const addScript = (fixture = "mnist_argparse.py", name = "train.py") => {
    copyFileSync(join(CHECKOUT, "fixtures", "scripts", fixture), path(name));
    return readFileSync(path(name), "utf8");
  };
  const readScript = (name = "train.py") => readFileSync(path(name), "utf8");

  const run = (flags: readonly string[], command = ["python", "train.py"], more: object = {}) =>
    sortie.ask(["run", "--gpus", "none", ...flags, "--", ...command], { env: { ...env, ...more } });
  const ask = (args: readonly string[], more: object = {}) => sortie.ask(args, { env: { ...env, ...more } });

  const listOffline = (folder = path("wandb")) =>
    readdirSync(folder)
      .filter((name) => name.startsWith("offline-run-"))
      .map((name) => join(folder, name));
  /** What W&B kept in the folder of an offline run. */
  const readOffline = (folder: string): OfflineRun => {
    const file = readdirSync(folder).find((name) => name.endsWith(".wandb")) as string;
    const reader = join(CHECKOUT, "test", "support", "read_offline_run.py");
    return JSON.parse(execFileSync(PYTHON_WITH_WANDB, [reader, join(folder, file)], { encoding: "utf8" }));
  };
  return { sortie, path, env, configure, addScript, readScript, run, ask, listOffline, readOffline };
}
