/**
 * The door for whoever plays cases, built in or from outside: to it, an agent behind its tunnel is a policy. It plays
 * one case and says how it went; it rejects when the policy does.
 */
export type Simulator = (policy: Policy, spec: CaseSpec, signal: AbortSignal) => Promise<CaseResult>;

export interface Policy {
  readonly sessionId: string;
  /**
   * Sends an observation and waits for the action, over cuts and redials. One at a time. Bytes are passed on as they
   * are. SortieError `session_lost` when the window expired, `session_ended` when job or agent ended the session.
   */
  infer(observation: Uint8Array): Promise<Uint8Array>;
}

export interface CaseResult {
  /** From 0 to 1. */
  readonly score: number;
  readonly steps: number;
  readonly detail?: string;
}

export interface CaseSpec {
  readonly task: string;
  readonly index: number;
  readonly seed: number;
}
