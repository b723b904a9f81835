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
 * Whether an agent whose attempt has ended is started again: only one that was killed by a signal which nobody of us
 * sent. `run` is the record with that end explained. It waits longer each time, since memory that was too little for one start may be free for a later one. An exit
 * of its own, also a failed one, is final: the agent has done its own redialing.
 */
export function chooseRestart(
  run: Pick<RunRecord, "seat" | "endReason" | "evidence">,
  verdict: Pick<Verdict, "state" | "endReason" | "exitCode" | "endedAt" | "stop">,
  nowMs: number,
): Restart | null {
  const { seat } = run;
  if (!seat || verdict.stop !== null || verdict.state !== "failed") return null;
  if (verdict.endReason !== "signal" && verdict.endReason !== "oom") return null;
  if (seat.restarts >= MOST_RESTARTS) return null;
  const delayMs = FIRST_DELAY_MS * 2 ** seat.restarts;
  return {
    seat: {
      ...seat,
      restarts: seat.restarts + 1,
      attemptEndedAt: verdict.endedAt ?? new Date(nowMs).toISOString(),
      notBefore: new Date(nowMs + delayMs).toISOString(),
    },
    waitingFor: `its next start, ${delayMs / 1000} s after it was killed by ${describeKill(run, verdict.exitCode)}`,
  };
}

/** A shell tells a signal N as the exit code 128 + N. Memory is blamed only where something shows it. */
function describeKill(run: Pick<RunRecord, "endReason" | "evidence">, exitCode: number | null): string {
  const signal = exitCode !== null && exitCode > 128 ? `signal ${exitCode - 128}` : "a signal";
  if (run.endReason !== "oom") return signal;
  return `${signal}, for want of memory${run.evidence ? ` (${run.evidence})` : ""}`;
}
