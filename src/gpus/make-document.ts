import type { GpuReport } from "./gpu-report.ts";

/** The document of `sortie gpus --json`; the face adds `schema`. */
export function makeGpuDocument(report: GpuReport, host: string) {
  return {
    host,
    kind: report.kind,
    gpus: report.gpus.map((gpu) => ({
      index: gpu.index,
      uuid: gpu.uuid,
      name: gpu.name,
      memoryUsedMiB: gpu.memoryUsedMiB,
      memoryTotalMiB: gpu.memoryTotalMiB,
      utilizationPercent: gpu.utilizationPercent,
      state: gpu.state,
      reason: gpu.reason,
      message: gpu.message,
      processes: gpu.processes,
      lease: gpu.lease,
    })),
    fault: report.fault,
    absence: report.absence,
  };
}
