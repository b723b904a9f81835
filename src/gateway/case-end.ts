import type { CaseResult, CaseSpec } from "./simulator.ts";

export interface JobEnd {
  /** In the order in which they ended. */
  readonly cases: readonly CaseEnd[];
  readonly outcome: JobOutcome;
}

/** `stopped`: it was drained early; `failed`: a case was begun as often as it may be. */
export type JobOutcome = "succeeded" | "stopped" | "failed";

export interface CaseEnd {
  readonly spec: CaseSpec;
  readonly agentId?: string;
  readonly result?: CaseResult;
  /** `tunnel_lost`: reason 9 of the documents, with `reconnect window expired` as its detail. */
  readonly failure?: CaseFailure;
  readonly detail?: string;
}

export type CaseFailure =
  | "tunnel_lost"
  | "agent_error"
  | "simulator_error"
  /** A simulator from outside went before its first observation was answered. */
  | "simulator_left"
  | "timeout"
  | "cancelled"
  | "sibling_failed";

/** What a case ended by that was cancelled since another one of its job failed. */
export function blameSibling(end: CaseEnd): CaseEnd {
  if (end.failure !== "cancelled") return end;
  return { ...end, failure: "sibling_failed", detail: "another case of the job failed" };
}
