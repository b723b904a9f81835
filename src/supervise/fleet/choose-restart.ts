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
 * Whether an agent whose attempt has ended is started again: one that was killed by a signal which nobody of us sent, or
 * whose handler was, since that is what the memory goes to; and one whose gateway was away for longer than an agent dials.
 * It waits longer each time: memory that was too little for one start may be free for a later one. Any other exit of its own
 * is final.
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
  const isOwnEnd = verdict.endReason === "exited" && verdict.exitCode === 1;
  const cause = isOwnEnd ? explainOwnEnd(verdict, lastWords ?? "", seat) : describeKill(run, verdict);
  if (cause === null || seat.restarts >= MOST_RESTARTS) return null;
  const delayMs = FIRST_DELAY_MS * 2 ** seat.restarts;
  return {
    seat: {
      ...seat,
      restarts: seat.restarts + 1,
      attemptEndedAt: verdict.endedAt ?? new Date(nowMs).toISOString(),
      notBefore: new Date(nowMs + delayMs).toISOString(),
    },
    waitingFor: `its next start, ${delayMs / 1000} s after ${cause}`,
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

/** The last words of an agent that exits by itself. It outlives its handler by the moment that it needs to say so. */
function explainOwnEnd(
  { memory }: Pick<Verdict, "memory">,
  lastWords: string,
  { restarts }: Seat,
): string | null {
  if (/\bsignal SIGKILL ended it\b/.test(lastWords)) {
    const kill = "its handler was killed by signal 9";
    return memory.oomKills > 0
      ? `${kill}, for want of memory (the kernel counts ${memory.oomKills} such kills)`
      : kill;
  }
  // One that never had a tunnel is given a wrong address, or comes before its gateway: that is told at once.
  const isAway =
    /^The tunnel to .* broke and /.test(lastWords) || (restarts > 0 && /^No tunnel to /.test(lastWords));
  return isAway ? "its gateway was away for too long" : null;
}
