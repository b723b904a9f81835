import type { GpuReport } from "../gpus/gpu-report.ts";
import type { Desk } from "./desk.ts";
import { listWaiting } from "./start-waiting.ts";

/** First come, first served: free GPUs that runs in line will take next are not free for a later one. */
export function reserveForWaiting(desk: Desk, report: GpuReport): GpuReport {
  const waiting = listWaiting(desk).flatMap((run) => {
    const { gpus } = run.request;
    const count = gpus === "none" ? 0 : gpus === "default" ? 1 : gpus;
    return Array.from({ length: count }, () => run);
  });
  if (waiting.length === 0) return report;
  const gpus = report.gpus.map((gpu) => {
    const run = gpu.state === "free" ? waiting.shift() : undefined;
    if (!run) return gpu;
    const lease = { run: run.name, user: null, since: run.createdAt };
    return {
      ...gpu,
      state: "leased" as const,
      message: `${run.name} has waited for it since ${run.createdAt}`,
      lease,
    };
  });
  return { ...report, gpus };
}
