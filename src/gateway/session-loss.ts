import { SortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import type { CaseFailure } from "./case-end.ts";

/** Of what an agent says, so many characters are kept. */
const MOST_REASON = 200;

/** Why a session ended before its simulator was done. */
export interface SessionLoss {
  readonly failure: CaseFailure;
  /** In words, for the end of the case. */
  readonly detail: string;
  /** What the simulator is told. */
  readonly error: SortieError;
}

/** The agent did not come back: reason 9 of the documents. */
export function makeWindowLoss(session: string, agent: string, windowMs: number): SessionLoss {
  return {
    failure: "tunnel_lost",
    detail: "reconnect window expired",
    error: new SortieError("session_lost", { session, agent, seconds: windowMs / 1000 }),
  };
}

/** The platform's words for what a restart of the gateway cost (PROTOCOL 1.2). */
export const STARTUP_RECONCILE = "startup reconcile";

/** After a restart of the gateway the agent, or the simulator, did not come back. */
export function makeRestartLoss(session: string, agent: string, windowMs: number): SessionLoss {
  return { ...makeWindowLoss(session, agent, windowMs), detail: STARTUP_RECONCILE };
}

/** The agent sent `session_close`. */
export function makeAgentEnd(session: string, reason = ""): SessionLoss {
  const says = makePrintable(reason).slice(0, MOST_REASON);
  const detail = says === "" ? "the agent closed the session" : `the agent closed the session: ${says}`;
  return {
    failure: "agent_error",
    detail,
    error: new SortieError("session_ended", { session, reason: detail }),
  };
}

/** The case took longer than a case may: by its agent where that owes a reply, else by its simulator. */
export function makeTimeout(
  { sessionId: session, isWaiting }: { readonly sessionId: string; readonly isWaiting: boolean },
  timeoutMs: number,
): SessionLoss {
  const detail = `the ${isWaiting ? "case" : "simulator"} took longer than ${timeoutMs / 1000} s`;
  const failure = isWaiting ? "timeout" : "simulator_error";
  return { failure, detail, error: new SortieError("session_ended", { session, reason: detail }) };
}

/** The agent did not answer. */
export function makeReplyTimeout(session: string, timeoutMs: number): SessionLoss {
  const detail = `the agent did not answer within ${timeoutMs / 1000} s`;
  return { failure: "timeout", detail, error: new SortieError("session_ended", { session, reason: detail }) };
}

/** The job is drained. */
export function makeCancelled(session: string): SessionLoss {
  const detail = "the job is drained";
  return {
    failure: "cancelled",
    detail,
    error: new SortieError("session_ended", { session, reason: detail }),
  };
}
