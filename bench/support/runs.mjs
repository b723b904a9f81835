import { spawnSync } from "node:child_process";
import { collectRun, waitForEnd } from "../../dist/index.js";
import { dismissWatcher, SORTIE } from "./workspace.mjs";

const PATIENCE_MS = 30_000;

/** Plans a run without a GPU in the workspace's folder, which is empty and not in git. The plan's id. */
export function planRun({ env, project }, command) {
  return askSortie(
    { env, project },
    ["run", "--json", "--target", "local", "--gpus", "none", "--", ...command],
    3,
  ).plan.id;
}

/** Plans and launches one. The run, verified. */
export function launchRun({ env, project }, command) {
  const flags = ["--json", "--target", "local", "--gpus", "none", "--yes", "--detach"];
  return askSortie({ env, project }, ["run", ...flags, "--", ...command], 0).run;
}

/** Waits until a run has ended, brings it home and lets its watcher go: nothing goes on behind the next measurement. */
export async function waitForQuiet({ desk }, runId) {
  const ended = await waitForEnd(desk, runId, { timeoutMs: PATIENCE_MS });
  if (ended === null) throw new Error(`${runId} did not end within ${PATIENCE_MS / 1000} s`);
  await collectRun(desk, runId);
  await dismissWatcher(desk);
}

function askSortie({ env, project }, args, exitCode) {
  const answer = spawnSync(SORTIE[0], [...SORTIE.slice(1), ...args], { env, cwd: project, encoding: "utf8" });
  if (answer.status === exitCode) return JSON.parse(answer.stdout);
  throw new Error(`sortie ${args.join(" ")}: exit ${answer.status}\n${answer.stdout}${answer.stderr}`);
}
