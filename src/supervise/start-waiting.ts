import type { GpuChoice } from "../gpus/choose-gpus.ts";
import { serveLine } from "../gpus/serve-line.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { changeRun, loadRun, moveRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { endFailedLaunch } from "./end-failed-launch.ts";
import { makeTarget } from "./find-target.ts";
import { isGpuTaken, launchRun } from "./launch-run.ts";
import type { OnStep } from "./launch-steps.ts";
import { loadPlan } from "./plan.ts";
import { returnToLine } from "./return-to-line.ts";
import { listWaiting, makePlaceInLine } from "./waiting-line.ts";

/** Starts those in line whose GPUs are free, and ends those whose patience is over. */
export async function startWaiting(desk: Desk, onStep: OnStep): Promise<void> {
  for (const run of listWaiting(desk)) if (isLate(desk, run)) await giveUp(desk, run);
  const waiting = listWaiting(desk);
  if (waiting.length === 0) return;
  const report = await makeTarget(desk, "local").loadGpus({ python: null });
  const { served } = serveLine(
    report,
    waiting.map((run) => makePlaceInLine(desk, run)),
  );
  for (const [place, run] of waiting.entries()) {
    const { choice = null, why = null } = served[place] ?? {};
    if (choice) await startOne(desk, run, choice, onStep);
    else if (why !== run.waitingFor) changeRun(desk.store, run.id, { waitingFor: why });
  }
}

function isLate(desk: Desk, { request, createdAt }: RunRecord): boolean {
  if (request.waitGpuS === null || request.waitGpuS < 0) return false;
  return desk.clock.now().getTime() - Date.parse(createdAt) >= request.waitGpuS * 1000;
}

/** The time that a person was ready to wait is over. */
async function giveUp(desk: Desk, run: RunRecord): Promise<void> {
  if (!(await makeTarget(desk, run.kind).close(run))) return; // a watcher that died had started it after all
  moveRun(desk.store, run.id, "failed", {
    endReason: "never_started",
    endedAt: desk.clock.now().toISOString(),
    cause: `No GPU became free in the ${run.request.waitGpuS} s that it was to wait.`,
    evidence: run.waitingFor,
    nextStep: "Start it again with a longer --wait-gpu, or free a GPU; `sortie gpus` shows who holds them.",
    results: [],
  });
}

async function startOne(desk: Desk, run: RunRecord, choice: GpuChoice, onStep: OnStep): Promise<void> {
  // Stopped, or taken by another, in the meantime: then the move is refused.
  const taken = moveRun(desk.store, run.id, "preparing", { launcher: desk.identity });
  if (taken.state !== "preparing" || taken.launcher.pid !== desk.identity.pid) return;
  onStep("taken_up");
  const plan = loadPlan(desk, run.plan);
  const target = makeTarget(desk, run.kind, { jobDir: plan.terms.jobDir });
  const gpuCandidates = [...choice.gpus, ...choice.candidates].flatMap((gpu) => gpu.uuid ?? []);
  try {
    await launchRun(desk, taken, { plan, target, gpuCandidates, variables: null, env: desk.env }, onStep);
  } catch (fault) {
    // Someone who is not in this line was quicker: the run keeps its place.
    if (isGpuTaken(fault)) returnToLine(desk, loadRun(desk.store, run.id), fault.message);
    else await endFailedLaunch(desk, run, target, fault);
  }
}
