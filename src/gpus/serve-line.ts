import { SortieError } from "../base/error.ts";
import { chooseGpus, type GpuChoice, type GpuRequest } from "./choose-gpus.ts";
import { findNamedGpus } from "./find-named-gpus.ts";
import type { Gpu, GpuReport } from "./gpu-report.ts";
import { limitMemory } from "./limit-memory.ts";

/** A run that waits for GPUs. */
export interface InLine {
  readonly name: string;
  /** When it came. ISO 8601, UTC. */
  readonly since: string;
  readonly request: GpuRequest;
  /** The only model that its plan allows; null: any. */
  readonly model: string | null;
  readonly freeMemoryMiB: number;
}

/** What one in line gets now; else why it must go on waiting. */
export type Served =
  | { readonly choice: GpuChoice; readonly why: null }
  | { readonly choice: null; readonly why: string };

/**
 * First come, first served: who cannot start yet keeps the free GPUs that it waits for, and those behind it are served
 * from what is left. `left` is the report for whoever comes after the line.
 */
export function serveLine(
  report: GpuReport,
  line: readonly InLine[],
): { readonly served: readonly Served[]; readonly left: GpuReport } {
  let left = report;
  const served = line.map((one) => {
    const own = restrictModel(limitMemory(left, one.freeMemoryMiB), one.model);
    const answer = serve(own, one.request);
    left = reserve(left, answer.choice?.gpus ?? findWanted(own, one.request), one);
    return answer;
  });
  return { served, left };
}

function restrictModel(report: GpuReport, model: string | null): GpuReport {
  if (model === null) return report;
  const gpus = report.gpus.map((gpu) =>
    gpu.state === "free" && gpu.name !== model
      ? { ...gpu, state: "busy" as const, message: `is no ${model}` }
      : gpu,
  );
  return { ...report, gpus };
}

function serve(report: GpuReport, request: GpuRequest): Served {
  try {
    return { choice: chooseGpus(report, request), why: null };
  } catch (fault) {
    // Whatever it is (none free, a driver that fails, a card that is gone): it may be over at the next look.
    if (fault instanceof SortieError) return { choice: null, why: fault.message };
    throw fault;
  }
}

function findWanted(report: GpuReport, { count, gpu = [] }: GpuRequest): Gpu[] {
  const free = (gpu.length > 0 ? findThere(report, gpu) : report.gpus).filter(
    ({ state }) => state === "free",
  );
  return gpu.length > 0 ? free : free.slice(0, typeof count === "number" ? count : 1);
}

function findThere(report: GpuReport, names: NonNullable<GpuRequest["gpu"]>): Gpu[] {
  try {
    return findNamedGpus(report, names);
  } catch {
    return []; // one of them is not there: nothing can be kept for it
  }
}

function reserve(report: GpuReport, gpus: readonly Gpu[], { name, since }: InLine): GpuReport {
  const kept = new Set(gpus.map(({ uuid }) => uuid));
  const message = `is kept for ${name}, which has waited since ${since}`;
  return {
    ...report,
    gpus: report.gpus.map((gpu) =>
      gpu.uuid !== null && kept.has(gpu.uuid) ? { ...gpu, state: "busy", reason: "reserved", message } : gpu,
    ),
  };
}
