import type { GpuChoice } from "./choose-gpus.ts";
import { countGpus, describeUse, isSameModel, nameGpu } from "./describe-gpu.ts";
import type { Gpu, GpuReport } from "./gpu-report.ts";

/** What a plan rests on: so many free GPUs of one model, or just these when the person named them. */
export interface GpuPredicate {
  readonly count: number;
  readonly model: string;
  readonly memoryTotalMiB: number | null;
  /** Only when the person named the GPUs; else any of the model will do. */
  readonly uuid?: readonly string[];
}

/** The predicates of a choice, one for each model among its GPUs. */
export function makeGpuPredicates(choice: GpuChoice, options: { named: boolean }): GpuPredicate[] {
  const models = choice.gpus.filter(
    (gpu, place) => choice.gpus.findIndex((other) => isSameModel(gpu, other)) === place,
  );
  return models.map((model) => {
    const equal = choice.gpus.filter((gpu) => isSameModel(gpu, model));
    const uuid = equal.flatMap((gpu) => gpu.uuid ?? []);
    const predicate = { count: equal.length, model: model.name, memoryTotalMiB: model.memoryTotalMiB };
    return options.named ? { ...predicate, uuid } : predicate;
  });
}

/** null while the predicate holds; else what has changed, a clause for people. */
export function checkGpus(report: GpuReport, predicate: GpuPredicate): string | null {
  if (predicate.count === 0) return null;
  if (report.fault) return report.fault.message;
  const gpus = report.gpus.filter((gpu) => isOfModel(gpu, predicate));
  return predicate.uuid ? checkNamed(gpus, predicate.uuid) : checkCount(gpus, predicate);
}

function isOfModel(gpu: Gpu, { model, memoryTotalMiB }: GpuPredicate): boolean {
  // A GPU that cannot be read now has no total: it is still the one that was named.
  return gpu.name === model && (gpu.memoryTotalMiB === memoryTotalMiB || gpu.memoryTotalMiB === null);
}

function checkNamed(gpus: readonly Gpu[], uuids: readonly string[]): string | null {
  for (const uuid of uuids) {
    const gpu = gpus.find((candidate) => candidate.uuid === uuid);
    if (!gpu) return `the GPU ${uuid} is not there any more`;
    if (gpu.state !== "free") return `${nameGpu(gpu)} is not free any more: ${gpu.message}`;
  }
  return null;
}

function checkCount(gpus: readonly Gpu[], { count, model }: GpuPredicate): string | null {
  const taken = gpus.filter(({ state }) => state !== "free");
  const freeCount = gpus.length - taken.length;
  if (freeCount >= count) return null;
  const needed = `${countGpus(count)} of the model ${model} ${count === 1 ? "is" : "are"} needed`;
  const free = freeCount === 0 ? "none is free" : `only ${freeCount} ${freeCount === 1 ? "is" : "are"} free`;
  return taken.length === 0 ? `${needed}, ${free}` : `${needed}, ${free}: ${describeUse(taken)}`;
}
