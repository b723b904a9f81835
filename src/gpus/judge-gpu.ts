import { makePrintable } from "../base/printable.ts";
import type { GpuFault, GpuLease, GpuProcess, GpuReason, GpuVerdict } from "./gpu-report.ts";
import { type GpuRow, parseNumber } from "./parse-rows.ts";

export interface GpuFacts {
  readonly row: GpuRow;
  readonly processes: readonly GpuProcess[];
  readonly lease: GpuLease | null;
  /** Why nobody knows which processes use the GPUs; null when that is known. */
  readonly processFault: GpuFault | null;
}

/**
 * The state of a GPU that nvidia-smi lists. Free: strictly less than `freeMemoryMiB` used, no living compute process, no
 * lease; anything of these that is not known makes it unknown. A display server is no compute process.
 */
export function judgeGpu(facts: GpuFacts, freeMemoryMiB: number): GpuVerdict {
  return (
    judgeReadability(facts.row) ??
    judgeLease(facts.lease) ??
    judgeProcesses(facts) ??
    judgeMemory(facts, freeMemoryMiB) ?? { state: "free", reason: null, message: null }
  );
}

/** Utilisation is not needed to call a GPU free, many cards do not tell it; but a fault told there counts. */
function judgeReadability(row: GpuRow): GpuVerdict | null {
  for (const value of [row.memoryUsed, row.memoryTotal, row.utilization, row.mig]) {
    const fault = findFaultWords(value ?? "");
    if (fault) return fault;
  }
  if (/^enabled$/i.test(row.mig ?? "")) {
    return makeUnknown("mig", "it is split into MIG instances, which Sortie does not hand out");
  }
  if (row.uuid === null) return makeUnknown("not_available", "nvidia-smi does not tell its UUID");
  const value = [row.memoryUsed, row.memoryTotal].find((text) => parseNumber(text) === null);
  return value === undefined ? null : describeUnreadable(value);
}

/** Words that nvidia-smi prints in any column of a GPU that cannot work, be the memory column as empty as it may. */
function findFaultWords(value: string): GpuVerdict | null {
  if (/\blost\b|fallen off/i.test(value)) {
    return makeUnknown("lost", "it is lost: the driver cannot reach it any more; restart the host");
  }
  if (/requires reset/i.test(value)) {
    return makeUnknown(
      "not_available",
      "it needs a reset (nvidia-smi --gpu-reset, or a restart of the host)",
    );
  }
  if (/unknown error|ERR!/i.test(value)) {
    return makeUnknown(
      "not_available",
      `nvidia-smi says ${quoteValue(value)} of it; look at the kernel's log`,
    );
  }
  return null;
}

function describeUnreadable(value: string): GpuVerdict {
  if (/permission/i.test(value)) {
    return makeUnknown("insufficient_permissions", "this user may not read its memory use");
  }
  return makeUnknown("not_available", `its memory use is not known: nvidia-smi says ${quoteValue(value)}`);
}

function judgeLease(lease: GpuLease | null): GpuVerdict | null {
  if (!lease) return null;
  const user = lease.user ? ` of ${lease.user}` : "";
  const since = lease.since ? ` since ${lease.since}` : "";
  return { state: "leased", reason: null, message: `held by ${nameHolder(lease.run)}${user}${since}` };
}

/** An agent holds its GPU under `agent-` and the beginning of its id, which no run has. */
function nameHolder(run: string | null): string {
  if (!run) return "a run that is starting";
  return run.startsWith("agent-") ? run.replace("-", " ") : `run ${run}`;
}

/** A process that is listed but not seen may be alive: it counts. */
function judgeProcesses({ processes, processFault }: GpuFacts): GpuVerdict | null {
  const living = processes.filter((process) => process.alive !== false);
  if (living.length > 0) {
    const message = `used by ${living.map(describeProcess).join(", ")}`;
    return { state: "busy", reason: "compute_process", message };
  }
  if (!processFault) return null;
  return makeUnknown(processFault.reason, `its processes are not known: ${processFault.message}`);
}

function judgeMemory({ row, processes }: GpuFacts, freeMemoryMiB: number): GpuVerdict | null {
  const usedMiB = parseNumber(row.memoryUsed) as number;
  if (usedMiB < freeMemoryMiB) return null;
  if (processes.length === 0) {
    const message = `${usedMiB} MiB of its memory are in use, by no compute process that nvidia-smi lists`;
    return { state: "busy", reason: "memory", message };
  }
  const message = `${usedMiB} MiB are held by dead ${processes.map(describeProcess).join(", ")}`;
  return { state: "busy", reason: "dead_process", message };
}

function describeProcess({ pid, name, user }: GpuProcess): string {
  const facts = [name?.split("/").at(-1), user && `of ${user}`].filter(Boolean).join(" ");
  return facts ? `process ${pid} (${facts})` : `process ${pid}`;
}

function makeUnknown(reason: GpuReason, message: string): GpuVerdict {
  return { state: "unknown", reason, message };
}

/** A value of nvidia-smi in a message. */
export function quoteValue(value: string): string {
  return value ? `“${makePrintable(value).slice(0, 80)}”` : "nothing";
}
