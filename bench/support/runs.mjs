import { spawnSync } from "node:child_process";
import { chooseTargetFor, collectRun, makeRequest, planRun, waitForEnd } from "../../dist/index.js";
import { dismissWatcher, SORTIE } from "./workspace.mjs";

const PATIENCE_MS = 30_000;

/** Every flag left out, but for the GPUs. */
const NO_WISH = {
  target: null,
  name: null,
  gpus: "none",
  gpu: [],
  variables: {},
  envFiles: [],
  isCwdGiven: false,
  results: null,
  timeoutS: null,
  graceS: null,
  expectS: null,
  waitGpuS: null,
  freeze: false,
  copies: [],
};

/** Plans a run without a GPU in the workspace's folder, which is empty and not in git. The plan's id. */
export async function planCommand({ desk, project }, command) {
  const { target } = await chooseTargetFor(desk, { cwd: project, wanted: "local" });
  const { id } = await planRun(desk, makeRequest({ ...NO_WISH, command, cwd: project }, target), target, {});
  return id;
}

/** Plans and launches one. The run, verified. */
export function launchRun({ env, project }, command) {
  const flags = ["--json", "--target", "local", "--gpus", "none", "--yes", "--detach"];
  const argv = [...SORTIE, "run", ...flags, "--", ...command];
  const { status, stdout, stderr } = spawnSync(argv[0], argv.slice(1), {
    env,
    cwd: project,
    encoding: "utf8",
  });
  if (status === 0) return JSON.parse(stdout).run;
  throw new Error(`sortie run: exit ${status}\n${stdout}${stderr}`);
}

/** Waits until a run has ended, brings it home and lets its watcher go: nothing goes on behind the next measurement. */
export async function waitForQuiet({ desk }, runId) {
  const ended = await waitForEnd(desk, runId, { timeoutMs: PATIENCE_MS });
  if (ended === null) throw new Error(`${runId} did not end within ${PATIENCE_MS / 1000} s`);
  await collectRun(desk, runId);
  await dismissWatcher(desk);
}
