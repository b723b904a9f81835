import type { Gpu, GpuReport } from "../../gpus/gpu-report.ts";
import type { Environment } from "../desk.ts";

/** Whether CUDA counts GPUs as nvidia-smi does. Otherwise its 0 is the fastest one, and the order of the rest is not known. */
export function isCountedAsListed(env: Environment): boolean {
  return env["CUDA_DEVICE_ORDER"] === "PCI_BUS_ID";
}

/** Whether `CUDA_VISIBLE_DEVICES` surely shows this GPU. An index tells nothing where CUDA counts otherwise, unless all are shown. */
export function isSurelyVisible(gpu: Gpu, { gpus }: GpuReport, env: Environment): boolean {
  const names = (env["CUDA_VISIBLE_DEVICES"] ?? "").split(",").map((name) => name.trim());
  const indexes = new Set(names.filter((name) => /^\d+$/.test(name)).map(Number));
  const isTold = isCountedAsListed(env) || gpus.every(({ index }) => index !== null && indexes.has(index));
  if (isTold && gpu.index !== null && indexes.has(gpu.index)) return true;
  return names.some((name) => isBeginning(name, gpu.uuid));
}

/** CUDA takes the beginning of a UUID for the whole. */
function isBeginning(name: string, uuid: string | null): boolean {
  return name.length > "GPU-".length && uuid?.toLowerCase().startsWith(name.toLowerCase()) === true;
}
