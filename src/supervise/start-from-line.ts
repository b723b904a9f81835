import type { RunRecord } from "../runs/run-record.ts";
import { loadRun, moveRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { endFailedLaunch } from "./end-failed-launch.ts";
import { makeTarget } from "./find-target.ts";
import { isGpuTaken, launchRun } from "./launch-run.ts";
import type { OnStep } from "./launch-steps.ts";
import { loadPlan } from "./plan.ts";
import { returnToLine } from "./return-to-line.ts";
import { isSilence } from "./silence.ts";

/**
 * Starts a run that waits, on one of these GPUs (UUIDs), with the environment that its `env` file holds. Where another took
 * them first it waits on; what cannot be started has ended then. For the watcher alone.
 */
export async function startFromLine(
  desk: Desk,
  run: RunRecord,
  gpuCandidates: readonly string[],
  onStep: OnStep,
): Promise<RunRecord> {
  const { seat = null } = run;
  const change = { launcher: desk.identity, ...(seat && { seat }) };
  // Stopped, or taken by another, in the meantime: then the move is refused.
  let isTaken = false;
  const taken = moveRun(desk.store, run.id, "preparing", change, (newest) => {
    isTaken = newest.state === "waiting" && newest.attempt === run.attempt;
    return isTaken;
  });
  if (!isTaken) return taken;
  onStep("taken_up");
  const plan = loadPlan(desk, run.plan);
  const target = makeTarget(desk, run, { jobDir: plan.terms.jobDir });
  try {
    const launch = { plan, target, gpuCandidates, variables: null, env: desk.env };
    return await launchRun(desk, taken, launch, onStep);
  } catch (fault) {
    // Someone who is not in this line was quicker: the run keeps its place.
    if (isGpuTaken(fault)) returnToLine(desk, loadRun(desk.store, run.id), fault.message);
    // It may have started: whoever next hears of the host sees that, or puts it back in line.
    else if (!isSilence(fault)) await endFailedLaunch(desk, run, target, fault);
    return loadRun(desk.store, run.id);
  }
}
