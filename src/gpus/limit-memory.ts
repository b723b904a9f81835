import type { Gpu, GpuReport } from "./gpu-report.ts";

/** The report as it reads where a GPU is free only below `freeMemoryMiB`: a run may have a limit of its own. */
export function limitMemory(report: GpuReport, freeMemoryMiB: number): GpuReport {
  return { ...report, gpus: report.gpus.map((gpu) => judgeAnew(gpu, freeMemoryMiB)) };
}

function judgeAnew(gpu: Gpu, freeMemoryMiB: number): Gpu {
  const isBelow = gpu.memoryUsedMiB !== null && gpu.memoryUsedMiB < freeMemoryMiB;
  const isMemoryAlone = gpu.reason === "memory" || gpu.reason === "dead_process";
  if (isMemoryAlone && isBelow) return { ...gpu, state: "free", reason: null, message: null };
  if (gpu.state !== "free" || gpu.memoryUsedMiB === null || isBelow) return gpu;
  return {
    ...gpu,
    state: "busy",
    reason: "memory",
    message: `${gpu.memoryUsedMiB} MiB of its memory are in use`,
  };
}
