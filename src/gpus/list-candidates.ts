import type { GpuPredicate } from "./check-gpus.ts";
import type { GpuReport } from "./gpu-report.ts";

/**
 * UUIDs that a run may take by what its plan rests on, the plan's own choice first. Of one model every free GPU will
 * do; of several models just as many of each as the plan says.
 */
export function listCandidates(
  report: GpuReport,
  predicates: readonly GpuPredicate[],
  preferred: readonly string[],
): string[] {
  const allowed = predicates.flatMap((predicate) => {
    const uuids = putFirst(preferred, predicate.uuid ?? listFree(report, predicate));
    return predicates.length > 1 ? uuids.slice(0, predicate.count) : uuids;
  });
  return putFirst(preferred, allowed);
}

function putFirst(first: readonly string[], uuids: readonly string[]): string[] {
  return [...first.filter((uuid) => uuids.includes(uuid)), ...uuids.filter((uuid) => !first.includes(uuid))];
}

function listFree({ gpus }: GpuReport, { model, memoryTotalMiB }: GpuPredicate): string[] {
  const fitting = gpus.filter(
    (gpu) => gpu.state === "free" && gpu.name === model && gpu.memoryTotalMiB === memoryTotalMiB,
  );
  return fitting.flatMap(({ uuid }) => uuid ?? []);
}
