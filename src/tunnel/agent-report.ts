/** Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** The longest. */
  readonly max: number;
}

/** What an agent did from its start to its end. */
export interface AgentReport {
  readonly agentId: string;
  readonly sessions: number;
  /** Observations that were answered, with whatever. */
  readonly replies: number;
  /** Replies sent a second time after a resume. */
  readonly resent: number;
  /** Replies of which it is not sure that they arrived. */
  readonly unproven: number;
  /** Observations that the end cut off unanswered. */
  readonly lost: number;
  readonly handlerFaults: number;
  /** Replies that the checks stopped, and soft findings, by the name of the rule. */
  readonly refusedReplies: Readonly<Record<string, number>>;
  readonly softFindings: Readonly<Record<string, number>>;
  readonly redials: number;
  readonly malformedFrames: number;
  /** By type, or by the reason why they could not be read. */
  readonly ignoredControls: Readonly<Record<string, number>>;
  /** Null where no frame was answered, and `send` where no link took a reply at once. */
  readonly latency:
    | (Readonly<Record<"queue" | "handler" | "check", Percentiles>> &
        Readonly<Record<"send", Percentiles | null>>)
    | null;
}
