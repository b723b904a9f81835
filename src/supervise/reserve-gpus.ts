import type { GpuReport } from "../gpus/gpu-report.ts";
import { type InLine, serveLine } from "../gpus/serve-line.ts";
import type { Desk } from "./desk.ts";
import { isInLineOf, listWaiting, listWaitingSeats, makePlaceInLine } from "./waiting-line.ts";

/**
 * First come, first served: free GPUs that runs in line will take next are not free for a later one, nor are those of
 * agents that will be started.
 */
export function reserveForWaiting(desk: Desk, report: GpuReport, host: string): GpuReport {
  const line = listWaiting(desk)
    .filter(isInLineOf(host))
    .map((run) => makePlaceInLine(desk, run));
  return serveLine(keepSeats(desk, report, host), line).left;
}

/** The report with the GPUs of a fleet's seats kept for them, also between two attempts. */
export function keepSeats(desk: Desk, report: GpuReport, host: string): GpuReport {
  const here = listWaitingSeats(desk).filter(isInLineOf(host));
  const seats = here.flatMap(({ name, createdAt, seat }): InLine[] => {
    const uuid = seat?.gpu?.uuid;
    if (!uuid) return [];
    return [
      { name, since: createdAt, request: { count: 1, gpu: [uuid] }, model: null, freeMemoryMiB: Infinity },
    ];
  });
  return serveLine(report, seats).left;
}
