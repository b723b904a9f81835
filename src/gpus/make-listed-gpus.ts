import { makePrintable } from "../base/printable.ts";
import { findHostFault } from "./find-fault.ts";
import type { Gpu, GpuFault, GpuLease, GpuProcess } from "./gpu-report.ts";
import { judgeGpu, quoteValue } from "./judge-gpu.ts";
import { parseLostGpus } from "./parse-cards.ts";
import { type AppRow, type GpuRow, parseAppRows, parseNumber } from "./parse-rows.ts";
import { type ReportParts, readAnswer, readFields } from "./read-parts.ts";

export interface Limits {
  readonly freeMemoryMiB: number;
  /** The time that nvidia-smi was given. */
  readonly seconds: number;
}

/** The GPUs that nvidia-smi lists, each with its processes, its lease and what follows from them. */
export function makeListedGpus(rows: readonly GpuRow[], parts: ReportParts, limits: Limits): Gpu[] {
  const apps = parseAppRows(parts.find("apps.out") ?? "", readFields(parts, "apps"));
  const processFault = findProcessFault(parts, limits.seconds);
  return rows.map((row) => {
    const ownApps = apps.filter((app) => app.gpuUuid === row.uuid);
    const processes = ownApps.flatMap((app) => makeProcess(app, parts) ?? []);
    const lease = parseLease(parts.find(`lease ${row.uuid}`));
    return {
      index: row.index,
      uuid: row.uuid,
      name: row.name,
      memoryUsedMiB: parseNumber(row.memoryUsed),
      memoryTotalMiB: parseNumber(row.memoryTotal),
      utilizationPercent: parseNumber(row.utilization),
      ...judgeGpu(
        { row, processes, lease, processFault: processFault ?? findHiddenProcess(ownApps) },
        limits.freeMemoryMiB,
      ),
      processes,
      lease,
    };
  });
}

/** Where the answer was cut off, a process or a lease may be missing: no GPU is free then. */
function findProcessFault(parts: ReportParts, seconds: number): GpuFault | null {
  if (!parts.complete) return { reason: "timeout", message: "the answer of the host was cut off" };
  const answer = readAnswer(parts, "apps");
  // A GPU that cannot be opened is told here again: the answer is good for the others.
  const isLossAlone = answer.exit !== "timeout" && parseLostGpus(answer.words).length > 0;
  const isRefused = /^\[?insufficient permissions/im.test(answer.words);
  return isLossAlone || (answer.exit === "0" && !isRefused) ? null : findHostFault(answer, seconds);
}

/** A driver that lists a process but hides its number might hide others too. */
function findHiddenProcess(apps: readonly AppRow[]): GpuFault | null {
  const hidden = apps.find((app) => parseNumber(app.pid) === null);
  if (!hidden) return null;
  const reason = /permission/i.test(hidden.pid) ? "insufficient_permissions" : "not_available";
  return { reason, message: `nvidia-smi says ${quoteValue(hidden.pid)} instead of a process number` };
}

function makeProcess(app: AppRow, parts: ReportParts): GpuProcess | null {
  const pid = parseNumber(app.pid);
  if (pid === null) return null;
  const lines = (parts.find("processes") ?? "").split("\n");
  const [, life, user] = lines.find((line) => line.startsWith(`${pid} `))?.split(" ") ?? [];
  return {
    pid,
    name: app.name,
    user: user ? makePrintable(user) : null,
    memoryMiB: app.memoryMiB,
    alive: life === "alive" ? true : life === "dead" ? false : null,
  };
}

/** Anyone can write this text: it is bounded, made printable, and a time that is none is dropped. */
function parseLease(text: string | undefined): GpuLease | null {
  if (text === undefined) return null;
  const read = (key: string) => {
    const value = new RegExp(`^${key}=(.+)$`, "m").exec(text)?.[1];
    return value === undefined ? null : makePrintable(value).slice(0, 100);
  };
  const since = read("since");
  return {
    run: read("run"),
    user: read("user"),
    since: Number.isNaN(Date.parse(since ?? "")) ? null : since,
  };
}
