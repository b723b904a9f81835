import type { Gpu } from "./gpu-report.ts";

/** `GPU 0`; a GPU whose number is not known goes by its name. */
export function nameGpu(gpu: Gpu): string {
  return gpu.index === null ? gpu.name : `GPU ${gpu.index}`;
}

/** `GPU 0 (NVIDIA A100-SXM4-80GB)` */
export function nameGpuWithModel(gpu: Gpu): string {
  return gpu.index === null ? gpu.name : `GPU ${gpu.index} (${gpu.name})`;
}

/** Each GPU with what it does or lacks: `GPU 0 held by run r1 of anna; GPU 1 used by process 12 (python of bob)`. */
export function describeUse(gpus: readonly Gpu[]): string {
  return gpus.map((gpu) => `${nameGpu(gpu)}${gpu.state === "unknown" ? ":" : ""} ${gpu.message}`).join("; ");
}

export function countGpus(count: number): string {
  return count === 1 ? "1 GPU" : `${count} GPUs`;
}

/** Equal GPUs can stand in for each other: same model, same memory. */
export function isSameModel(one: Gpu, other: Gpu): boolean {
  return one.name === other.name && one.memoryTotalMiB === other.memoryTotalMiB;
}
