import { formatDuration } from "../base/duration.ts";
import { describeFault, SortieError } from "../base/error.ts";
import type { GpuReport } from "../gpus/gpu-report.ts";
import { serveLine } from "../gpus/serve-line.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { changeRun, listLiveRuns, moveRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { groupByHost } from "./group-by-host.ts";
import type { OnStep } from "./launch-steps.ts";
import { keepSeats } from "./reserve-gpus.ts";
import { isSilence } from "./silence.ts";
import { startFromLine } from "./start-from-line.ts";
import { listWaiting, makePlaceInLine } from "./waiting-line.ts";

/**
 * Lets go of the runs that this watcher took from the line and could neither start nor end, as on a full disk. On each
 * host it starts one at a time: whatever it still has in hand when it looks there anew is such a run.
 */
export function releaseFailedStarts(desk: Desk, isMeant: (run: RunRecord) => boolean = () => true): void {
  for (const run of listLiveRuns(desk.store).filter(isMeant)) {
    const { pid, start } = run.launcher;
    const isOwn = pid === desk.identity.pid && start === desk.identity.start;
    if (!isOwn || run.state !== "preparing" || run.waitingFor === null) continue;
    changeRun(desk.store, run.id, { launcher: { ...run.launcher, start: "" } });
  }
}

/**
 * Starts those in line whose GPUs are free, and ends those whose patience is over. false: a host does not answer; its
 * line stays as it is.
 */
export async function startWaiting(
  desk: Desk,
  onStep: OnStep,
  isMeant: (run: RunRecord) => boolean = () => true,
): Promise<boolean> {
  try {
    for (const run of listWaiting(desk).filter(isMeant)) if (isLate(desk, run)) await giveUp(desk, run);
    for (const line of groupByHost(listWaiting(desk).filter(isMeant))) await startFirst(desk, line, onStep);
    return true;
  } catch (fault) {
    if (!isSilence(fault)) throw fault;
    for (const run of listWaiting(desk).filter(isMeant)) tellWhy(desk, run, describeFault(fault));
    return false;
  }
}

/** @param waiting the runs in line at one host */
async function startFirst(desk: Desk, waiting: readonly RunRecord[], onStep: OnStep): Promise<void> {
  const [first] = waiting as [RunRecord];
  const report = keepSeats(desk, await loadReport(desk, first), first.host);
  const { served } = serveLine(
    report,
    waiting.map((run) => makePlaceInLine(desk, run)),
  );
  for (const [place, run] of waiting.entries()) {
    const { choice = null, why = null } = served[place] ?? {};
    const gpus = choice ? [...choice.gpus, ...choice.candidates].flatMap((gpu) => gpu.uuid ?? []) : null;
    if (gpus !== null) await startFromLine(desk, run, gpus, onStep);
    else tellWhy(desk, run, why);
  }
}

function tellWhy(desk: Desk, run: RunRecord, why: string | null): void {
  if (why !== run.waitingFor) changeRun(desk.store, run.id, { waitingFor: why });
}

/** A host that cannot be asked now is one whose GPUs must be waited for. */
async function loadReport(desk: Desk, run: RunRecord): Promise<GpuReport> {
  try {
    return await findTargetOf(desk, run).loadGpus({ python: null });
  } catch (fault) {
    if (!(fault instanceof SortieError) || isSilence(fault)) throw fault;
    return {
      kind: "nvidia",
      gpus: [],
      fault: { reason: "not_available", message: fault.message },
      absence: null,
    };
  }
}

function isLate(desk: Desk, { request, createdAt }: RunRecord): boolean {
  if (request.waitGpuS === null || request.waitGpuS < 0) return false;
  return desk.clock.now().getTime() - Date.parse(createdAt) >= request.waitGpuS * 1000;
}

/** The time that a person was ready to wait is over. */
async function giveUp(desk: Desk, run: RunRecord): Promise<void> {
  if (!(await findTargetOf(desk, run).close(run))) return; // a watcher that died had started it after all
  const { explainUnstarted } = await import("./explain-end.ts"); // its table of symptoms is for ends alone
  const end = explainUnstarted(run, {
    endReason: "never_started",
    endedAt: desk.clock.now().toISOString(),
    evidence: run.waitingFor,
    waitLimit: formatDuration(run.request.waitGpuS ?? 0),
  });
  moveRun(desk.store, run.id, "failed", end);
}
