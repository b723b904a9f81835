/**
 * The door for whoever plays cases, built in or from outside: to it, an agent behind its tunnel is a policy. It plays
 * one case and says how it went; it rejects when the policy does, and with SortieError `policy_failed` where the policy
 * answers with an error. The signal aborts when the session is lost or the job is drained.
 */
export type Simulator = (policy: Policy, spec: CaseSpec, signal: AbortSignal) => Promise<CaseResult>;

export interface Policy {
  readonly sessionId: string;
  /** How many observations were answered so far, before a restart of the gateway too. */
  readonly replies?: number;
  /**
   * Sends an observation and waits for the action, over cuts and redials. Bytes are passed on as they are; those of the
   * observation must not change until it is answered. One at a time, else SortieError `observation_waits`.
   * `observation_too_big`: nothing was sent. `session_lost`: the window expired. `session_ended`: by job or agent.
   */
  infer(observation: Uint8Array): Promise<Uint8Array>;
  /** Nothing more will be asked, though the case has not ended: its agent is free for other cases. */
  release?(): void;
}

export interface CaseResult {
  /** From 0 to 1; null: nobody told it, which is not 0. */
  readonly score: number | null;
  readonly steps: number;
  readonly detail?: string;
}

export interface CaseSpec {
  /** The number of the case on record, where it is on record. */
  readonly id?: number;
  readonly board?: string;
  readonly task: string;
  readonly index: number;
  readonly seed: number;
}
