import { SortieError } from "../base/error.ts";
import { countGpus, describeUse, isSameModel, nameGpu, nameGpuWithModel } from "./describe-gpu.ts";
import { findNamedGpus, type GpuName } from "./find-named-gpus.ts";
import type { Gpu, GpuReport } from "./gpu-report.ts";

export interface GpuRequest {
  /** `default`: one where there is any, else none. `none`: none, also where there are some. */
  readonly count: number | "none" | "default";
  /** GPUs that the person named. */
  readonly gpu?: readonly GpuName[];
}

export interface GpuChoice {
  readonly gpus: readonly Gpu[];
  /** Free GPUs equal to the chosen ones, that the run may take when one of those was taken meanwhile. */
  readonly candidates: readonly Gpu[];
  /** Why these, a clause for the plan. */
  readonly why: string;
}

/**
 * Chooses the GPUs of a run; the same report and request give the same choice.
 * @throws SortieError `gpus_busy` when waiting would help, `gpus_unfit` when only a repair would, `gpus_too_few`,
 * `gpu_unknown` or `value_bad` when the request cannot be met here at all. Never falls back to none by itself.
 */
export function chooseGpus(report: GpuReport, request: GpuRequest): GpuChoice {
  const named = request.gpu ?? [];
  if (request.count === "none" && named.length === 0) return makeEmptyChoice("none was asked for");
  if (request.count === 0 && named.length === 0) return makeEmptyChoice("none was asked for");
  if (report.fault) throw makeUnfitError(describeWish(request), report.fault.message, report.gpus);
  if (named.length > 0) return chooseNamed(report, named, request.count);
  if (request.count === "default" && report.kind === "none")
    return makeEmptyChoice(report.absence ?? "there is none");
  return chooseByCount(report, request.count === "default" ? 1 : (request.count as number));
}

function makeEmptyChoice(why: string): GpuChoice {
  return { gpus: [], candidates: [], why };
}

function describeWish({ count, gpu }: GpuRequest): string {
  if (gpu && gpu.length > 0) return `GPU ${gpu.join(", ")}`;
  return countGpus(count === "default" ? 1 : (count as number));
}

function chooseNamed(report: GpuReport, names: readonly GpuName[], count: GpuRequest["count"]): GpuChoice {
  const gpus = findNamedGpus(report, names);
  if (count !== "default" && count !== gpus.length) {
    throw new SortieError("value_bad", {
      what: "--gpus",
      value: count,
      reason: `--gpu names ${countGpus(gpus.length)}`,
      advice: "Leave --gpus out, or give both the same number.",
    });
  }
  checkAllFree(gpus, `GPU ${names.join(", ")}`);
  return { gpus, candidates: [], why: `${listGpus(gpus)}, as asked` };
}

function checkAllFree(gpus: readonly Gpu[], wanted: string): void {
  const unknown = gpus.filter(({ state }) => state === "unknown");
  if (unknown.length > 0) throw makeUnfitError(wanted, describeUse(unknown), unknown);
  const taken = gpus.filter(({ state }) => state !== "free");
  if (taken.length > 0) throw makeBusyError(wanted, gpus.length - taken.length, taken);
}

function chooseByCount(report: GpuReport, count: number): GpuChoice {
  const free = report.gpus.filter(({ state }) => state === "free").sort(compareByUse);
  if (free.length < count) throw makeShortageError(report, count, free.length);
  const gpus = (findEqualGpus(free, count) ?? free).slice(0, count);
  const [first] = gpus as [Gpu];
  if (report.kind === "mps") return { gpus, candidates: [], why: `${first.name}, ${first.message}` };
  const isUniform = gpus.every((gpu) => isSameModel(gpu, first));
  const candidates = isUniform ? free.filter((gpu) => !gpus.includes(gpu) && isSameModel(gpu, first)) : [];
  return { gpus, candidates, why: `${listGpus(gpus)}, ${describeRank(count, free.length)}` };
}

/** The emptiest first, then the lowest number. */
function compareByUse(one: Gpu, other: Gpu): number {
  return (one.memoryUsedMiB ?? 0) - (other.memoryUsedMiB ?? 0) || (one.index ?? 0) - (other.index ?? 0);
}

/** A run on several GPUs goes at the pace of the slowest: equal ones are preferred. */
function findEqualGpus(free: readonly Gpu[], count: number): Gpu[] | undefined {
  return free
    .map((gpu) => free.filter((other) => isSameModel(gpu, other)))
    .find((equal) => equal.length >= count);
}

function describeRank(count: number, freeCount: number): string {
  if (freeCount === count) return count === 1 ? "the only free one" : "the only free ones";
  return `the emptiest of ${freeCount} free`;
}

/** `GPU 0 and GPU 1, NVIDIA A100-SXM4-80GB`; the model behind each where they differ. */
function listGpus(gpus: readonly Gpu[]): string {
  const [first] = gpus as [Gpu];
  const isOneModel = gpus.every((gpu) => gpu.index !== null && gpu.name === first.name);
  return isOneModel
    ? `${gpus.map(nameGpu).join(" and ")}, ${first.name}`
    : gpus.map(nameGpuWithModel).join(", ");
}

/** Too few there, too few fit, or too few free: three different ways out. */
function makeShortageError(report: GpuReport, count: number, freeCount: number): SortieError {
  const { gpus, absence } = report;
  const wanted = countGpus(count);
  if (gpus.length < count) {
    const there = gpus.length === 0 ? `none: ${absence}` : countGpus(gpus.length);
    return new SortieError("gpus_too_few", { wanted, there });
  }
  const unknown = gpus.filter(({ state }) => state === "unknown");
  if (gpus.length - unknown.length < count) return makeUnfitError(wanted, describeUse(unknown), unknown);
  return makeBusyError(
    wanted,
    freeCount,
    gpus.filter(({ state }) => state !== "free"),
  );
}

function makeUnfitError(wanted: string, why: string, gpus: readonly Gpu[]): SortieError {
  return new SortieError("gpus_unfit", { wanted, why, gpus: gpus.map(summarizeGpu) });
}

function makeBusyError(wanted: string, freeCount: number, taken: readonly Gpu[]): SortieError {
  const free = freeCount === 0 ? "none" : String(freeCount);
  return new SortieError("gpus_busy", {
    wanted,
    free,
    held: describeUse(taken),
    gpus: taken.map(summarizeGpu),
  });
}

function summarizeGpu({ index, uuid, state, reason, message, lease }: Gpu) {
  return { index, uuid, state, reason, message, lease };
}
