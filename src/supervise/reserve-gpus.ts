import type { GpuReport } from "../gpus/gpu-report.ts";
import { serveLine } from "../gpus/serve-line.ts";
import type { Desk } from "./desk.ts";
import { listWaiting, makePlaceInLine } from "./waiting-line.ts";

/** First come, first served: free GPUs that runs in line will take next are not free for a later one. */
export function reserveForWaiting(desk: Desk, report: GpuReport): GpuReport {
  const line = listWaiting(desk).map((run) => makePlaceInLine(desk, run));
  return serveLine(report, line).left;
}
