import { SortieError } from "../base/error.ts";
import type { Gpu, GpuReport } from "./gpu-report.ts";

/** An index as nvidia-smi counts, or a UUID, or a UUID's unique beginning. */
export type GpuName = number | string;

/** The GPUs of these names, each once, in the order of the names. @throws SortieError `gpu_unknown` */
export function findNamedGpus(report: GpuReport, names: readonly GpuName[]): Gpu[] {
  return [...new Set(names.map((name) => findNamedGpu(report, String(name).trim())))];
}

function findNamedGpu(report: GpuReport, name: string): Gpu {
  const found = /^\d+$/.test(name)
    ? report.gpus.filter(({ index }) => index === Number(name))
    : report.gpus.filter(({ uuid }) => isBeginning(name, uuid));
  const exact = found.find(({ uuid }) => uuid?.toLowerCase() === name.toLowerCase());
  if (exact) return exact;
  if (found.length === 1) return found[0] as Gpu;
  throw new SortieError("gpu_unknown", {
    gpu: name,
    known: listNames(found.length > 1 ? found : report.gpus, report),
  });
}

/** `GPU-` alone names nothing. */
function isBeginning(name: string, uuid: string | null): boolean {
  return name.length > "GPU-".length && uuid?.toLowerCase().startsWith(name.toLowerCase()) === true;
}

function listNames(gpus: readonly Gpu[], report: GpuReport): string {
  if (gpus.length === 0) return `none: ${report.absence}`;
  return gpus
    .map(({ index, uuid, name }) =>
      [index ?? name, uuid && `(${uuid})`].filter((part) => part !== null).join(" "),
    )
    .join(", ");
}
