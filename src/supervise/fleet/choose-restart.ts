import type { Verdict } from "../../runs/judge-run.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Seat } from "../../runs/seat.ts";

const FIRST_DELAY_MS = 3000;
/** Whoever is killed more often than this will be killed again. */
const MOST_RESTARTS = 5;

export interface Restart {
  /** The seat of the next attempt. */
  readonly seat: Seat;
  /** What it waits for, for people. */
  readonly waitingFor: string;
}

/**
 * Whether an agent whose attempt has ended is started again: only one that was killed by a signal which nobody of us sent,
 * or whose handler was, since that is what the memory goes to. It waits longer each time: memory that was too little for one
 * start may be free for a later one. Any other exit of its own is final: the agent has done its own redialing.
 * `run` is the record with that end explained, `lastWords` what the agent's events said last.
 */
export function chooseRestart(
  run: Pick<RunRecord, "seat" | "endReason" | "evidence">,
  verdict: Pick<Verdict, "state" | "endReason" | "exitCode" | "endedAt" | "stop" | "memory">,
  nowMs: number,
  lastWords: string | null = null,
): Restart | null {
  const { seat } = run;
  if (!seat || verdict.stop !== null || verdict.state !== "failed") return null;
  const kill = describeKill(run, verdict) ?? describeHandlerKill(verdict, lastWords);
  if (kill === null || seat.restarts >= MOST_RESTARTS) return null;
  const delayMs = FIRST_DELAY_MS * 2 ** seat.restarts;
  return {
    seat: {
      ...seat,
      restarts: seat.restarts + 1,
      attemptEndedAt: verdict.endedAt ?? new Date(nowMs).toISOString(),
      notBefore: new Date(nowMs + delayMs).toISOString(),
    },
    waitingFor: `its next start, ${delayMs / 1000} s after ${kill}`,
  };
}

/** A shell tells a signal N as the exit code 128 + N. Memory is blamed only where something shows it. */
function describeKill(
  { endReason, evidence }: Pick<RunRecord, "endReason" | "evidence">,
  verdict: Pick<Verdict, "endReason" | "exitCode">,
): string | null {
  if (verdict.endReason !== "signal" && verdict.endReason !== "oom") return null;
  const code = verdict.exitCode ?? 0;
  const kill = `it was killed by ${code > 128 ? `signal ${code - 128}` : "a signal"}`;
  if (endReason !== "oom") return kill;
  return `${kill}, for want of memory${evidence ? ` (${evidence})` : ""}`;
}

/** The agent outlives its handler by the moment that it needs to say so, and exits with 1. */
function describeHandlerKill(
  { endReason, exitCode, memory }: Pick<Verdict, "endReason" | "exitCode" | "memory">,
  lastWords: string | null,
): string | null {
  const isKilled =
    endReason === "exited" && exitCode === 1 && /\bsignal SIGKILL ended it\b/.test(lastWords ?? "");
  if (!isKilled) return null;
  const kill = "its handler was killed by signal 9";
  return memory.oomKills > 0
    ? `${kill}, for want of memory (the kernel counts ${memory.oomKills} such kills)`
    : kill;
}
