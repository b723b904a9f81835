import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Enough about a process that a later one of the same number is never taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string;
  readonly boot: string;
  readonly pidNamespace: string;
  readonly host: string;
}

export function loadOwnIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    start: findStart(process.pid) ?? "",
    boot: findBoot(),
    pidNamespace: findPidNamespace(),
    host: hostname(),
  };
}

/** Whether that very process lives; null when it cannot be judged from here (another host or pid namespace). */
export function isProcessAlive(identity: ProcessIdentity): boolean | null {
  if (identity.host !== hostname()) return null;
  if (identity.boot !== findBoot()) return false;
  if (identity.pidNamespace !== findPidNamespace()) return null;
  return findStart(identity.pid) === identity.start;
}

/** Start time in clock ticks since boot (Linux) or as `ps` prints it; null for a dead process or a zombie. */
function findStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return isLinux() ? null : findStartByPs(pid); // no such process, or no /proc on this system
  }
}

function isLinux(): boolean {
  return process.platform === "linux";
}

function findStartByPs(pid: number): string | null {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch {
    return null; // ps exits 1 when there is no such process
  }
}

function findBoot(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "unknown"; // macOS: the start time has the date in it
  }
}

function findPidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "none"; // systems without namespaces
  }
}
