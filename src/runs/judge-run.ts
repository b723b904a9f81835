import type { HostFacts, Observation } from "./observe-script.ts";
import { type EndReason, type RunState, readEndReason } from "./states.ts";

/** For so long after the start intent a missing `pid` may still come. */
const START_PATIENCE_MS = 10_000;

/** A start takes half a minute at most: a launcher that lives so long after its intent has failed and not said so. */
const LAUNCH_PATIENCE_MS = 120_000;

/** A supervisor samples every ten seconds: after so long without a sample it does not live. */
const SILENCE_MS = 60_000;

/** What the job folder and the processes mean: the state they show, and what is known with it. */
export interface Verdict {
  readonly state: RunState;
  readonly endReason: EndReason | null;
  readonly exitCode: number | null;
  readonly endedAt: string | null;
  readonly durationS: number | null;
  /** false: nothing here can be judged from this machine, the last known state stands. */
  readonly reachable: boolean;
  /** What the host itself says of the cause, where it says anything. */
  readonly evidence: string | null;
  /** Who asked for a stop, and when. */
  readonly stop: { readonly by: string; readonly at: string } | null;
  /** What the kernel left about memory, written down by the supervisor at the end. */
  readonly memory: { readonly kernelLog: string; readonly oomKills: number };
  /** Nobody launches it any more and it has no `pid`: it must be closed before it may be called failed. */
  readonly mustClose: boolean;
}

export interface JudgeContext {
  /** null: it cannot be known from here. */
  readonly launcherAlive: boolean | null;
  readonly startIntentAt: string | null;
  /** Its supervisor was once seen. */
  readonly hasStarted: boolean;
  readonly nowMs: number;
  /** The host that the run was started on. */
  readonly host: string;
}

const OPEN: Verdict = {
  state: "running",
  endReason: null,
  exitCode: null,
  endedAt: null,
  durationS: null,
  reachable: true,
  evidence: null,
  stop: null,
  memory: { kernelLog: "", oomKills: 0 },
  mustClose: false,
};

/** The observation rules of a job folder. The folder wins over every record elsewhere. */
export function judgeRun(seen: Observation, facts: HostFacts, context: JudgeContext): Verdict {
  if (seen.exit && Object.keys(seen.exit).length > 0) return judgeExit(seen, seen.exit);
  if (seen.closed) return judgeClosed(seen, facts);
  if (!seen.pid?.["host"]) return judgeUntold(seen, facts, context);
  if (seen.pid["host"] !== facts.host) return { ...OPEN, reachable: false };
  return judgeProcesses(seen, seen.pid, facts);
}

function judgeExit(seen: Observation, exit: Readonly<Record<string, string>>): Verdict {
  const reason = readEndReason(exit["reason"]);
  const exitCode = exit["code"] ? Number(exit["code"]) : null;
  const stop = reason === "time_limit" ? null : readStop(seen);
  return {
    ...OPEN,
    state: stop ? "stopped" : reason === "exited" && exitCode === 0 ? "succeeded" : "failed",
    endReason: stop ? (stop.by === "hang_up" ? "hang_up" : "stopped") : reason,
    exitCode,
    endedAt: exit["ended_at"] ?? null,
    durationS: measureDuration(seen.pid, exit),
    evidence: exit["fault"] ?? (reason === "gpu_taken" ? (seen.pid?.["held_by"] ?? null) : null),
    stop,
    memory: { kernelLog: exit["kernel"] ?? "", oomKills: Number(exit["oom_kills"] ?? 0) },
  };
}

function readStop({ stop }: Observation): Verdict["stop"] {
  return stop && { by: stop["by"] ?? "unknown", at: stop["at"] ?? "unknown" };
}

function judgeClosed(seen: Observation, facts: HostFacts): Verdict {
  const stopped = seen.stop !== null;
  return {
    ...OPEN,
    state: stopped ? "stopped" : "failed",
    endReason: stopped ? "stopped" : "never_started",
    endedAt: facts.now,
  };
}

/** No record says who runs it: it has not started, or somebody removed its folder or broke the record. */
function judgeUntold(seen: Observation, facts: HostFacts, context: JudgeContext): Verdict {
  if (seen.carriers.length > 0) return OPEN; // what carries its mark lives
  if (!context.hasStarted) return judgeUnstarted(seen, facts, context);
  const evidence = seen.pid ? "its record of processes is broken" : "its job folder was removed";
  return { ...OPEN, state: "lost", endReason: "unknown", endedAt: facts.now, evidence };
}

function judgeUnstarted(seen: Observation, facts: HostFacts, context: JudgeContext): Verdict {
  if (context.host !== facts.host || context.launcherAlive === null) {
    return { ...OPEN, state: "preparing", reachable: false };
  }
  if (mayStart(context)) return { ...OPEN, state: "preparing" };
  return {
    ...OPEN,
    state: seen.stop ? "stopped" : "failed",
    endReason: seen.stop ? "stopped" : "never_started",
    endedAt: facts.now,
    mustClose: seen.pid === null,
  };
}

/** Before the intent a living launcher may take its time: it makes the job folder. */
function mayStart({ launcherAlive, startIntentAt, nowMs }: JudgeContext): boolean {
  if (startIntentAt === null) return launcherAlive === true;
  const waitedMs = nowMs - Date.parse(startIntentAt);
  return waitedMs < (launcherAlive ? LAUNCH_PATIENCE_MS : START_PATIENCE_MS);
}

function judgeProcesses(seen: Observation, pid: Readonly<Record<string, string>>, facts: HostFacts): Verdict {
  const lost = { ...OPEN, state: "lost" as const, endedAt: facts.now };
  if (pid["boot"] !== facts.boot) {
    return {
      ...lost,
      endReason: "host_restarted",
      evidence: `the host was started anew, boot ${facts.boot}`,
    };
  }
  if (pid["pid_namespace"] !== facts.pidNamespace) {
    if (!isContainerReplaced(seen, pid, facts)) return { ...OPEN, reachable: false };
    return {
      ...lost,
      endReason: "container_restarted",
      evidence: `process 1 is younger than the run, whose last sample is of ${seen.sampledAt}`,
    };
  }
  if (seen.supervisorAlive || seen.commandAlive || seen.carriers.length > 0) return OPEN;
  if (seen.diskFreeKib !== null && seen.diskFreeKib < 64) {
    return {
      ...lost,
      endReason: "disk_full",
      evidence: `${seen.diskFreeKib} KiB free where the job folder lies`,
    };
  }
  return {
    ...lost,
    endReason: "supervisor_killed",
    evidence: `process ${pid["supervisor"]} is gone and left no exit`,
  };
}

/**
 * Only a container that began after the run can have taken its place; any other is a neighbour. So is one that began
 * later, while the supervisor goes on taking its samples.
 */
function isContainerReplaced(
  seen: Observation,
  pid: Readonly<Record<string, string>>,
  facts: HostFacts,
): boolean {
  if (!(Number(facts.initStart) > Number(pid["supervisor_start"]))) return false;
  return seen.sampledAt !== null && Date.parse(facts.now) - Date.parse(seen.sampledAt) > SILENCE_MS;
}

function measureDuration(
  pid: Readonly<Record<string, string>> | null,
  exit: Readonly<Record<string, string>>,
): number | null {
  if (!pid?.["started_uptime"] || !exit["ended_uptime"]) return null;
  const seconds = Number(exit["ended_uptime"]) - Number(pid["started_uptime"]);
  return seconds >= 0 ? Math.round(seconds * 100) / 100 : null;
}
