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
  return predicates.flatMap((predicate) => {
    const uuids = predicate.uuid ?? listFree(report, predicate);
    const sorted = [
      ...uuids.filter((uuid) => preferred.includes(uuid)),
      ...uuids.filter((uuid) => !preferred.includes(uuid)),
    ];
    return predicates.length > 1 ? sorted.slice(0, predicate.count) : sorted;
  });
}

function listFree({ gpus }: GpuReport, { model, memoryTotalMiB }: GpuPredicate): string[] {
  const fitting = gpus.filter(
    (gpu) => gpu.state === "free" && gpu.name === model && gpu.memoryTotalMiB === memoryTotalMiB,
  );
  return fitting.flatMap(({ uuid }) => uuid ?? []);
}
