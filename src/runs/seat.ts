/** What ties a run to a fleet: whose agent it is, under which id, and what is known of its restarts. Times are ISO 8601 UTC. */
export interface Seat {
  /** The fleet's id. */
  readonly fleet: string;
  /** From 1; the order in which the fleet's agents are started. */
  readonly number: number;
  /** The agent id under which the next attempt dials; a UUID. */
  readonly agentId: string;
  /** The GPU that the seat plays on; null: none at all. */
  readonly gpu: { readonly uuid: string | null; readonly index: number | null } | null;
  /** How often it was started again so far. */
  readonly restarts: number;
  /** When the last attempt ended; null: none has. */
  readonly attemptEndedAt: string | null;
  /** Before this time the next attempt is not started; null: at any time. */
  readonly notBefore: string | null;
}
