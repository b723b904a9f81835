import type { Simulator } from "./simulator.ts";

/**
 * A place where one case at a time can be played: a worker thread, or the connection of a simulator from outside. It is
 * offered to the scheduler, gets a case and an agent as a policy, and is offered again when the case has ended.
 */
export interface Seat {
  /** Whose cases it can play. */
  readonly boards: readonly string[];
  /** It plays this case alone. */
  readonly caseId?: number;
  readonly play: Simulator;
  /** It plays one case and is gone, as a connection is. */
  readonly once?: boolean;
}
