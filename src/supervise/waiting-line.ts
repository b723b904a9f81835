import type { InLine } from "../gpus/serve-line.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { listLiveRuns } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { loadPlan } from "./plan.ts";

/** Runs that wait for a GPU, first come first served. A seat of a fleet is in no line: it has its GPU. */
export function listWaiting(desk: Desk): RunRecord[] {
  return listLiveRuns(desk.store).filter((run) => run.state === "waiting" && !run.seat);
}

/** Each host has a line of its own. */
export function isInLineOf(host: string): (run: Pick<RunRecord, "host">) => boolean {
  return (run) => run.host === host;
}

/** Runs of a fleet whose next attempt is still to be started, on the GPU that is theirs. */
export function listWaitingSeats(desk: Desk): RunRecord[] {
  return listLiveRuns(desk.store).filter((run) => run.state === "waiting" && run.seat);
}

/** What a waiting run wants, as its plan says. */
export function makePlaceInLine(desk: Desk, run: RunRecord): InLine {
  const { request, gpus } = loadPlan(desk, run.plan).terms;
  return {
    name: run.name,
    since: run.createdAt,
    request: { count: request.gpus, gpu: request.gpu },
    model: request.gpu.length > 0 ? null : gpus.model,
    freeMemoryMiB: gpus.freeMemoryMiB,
  };
}
