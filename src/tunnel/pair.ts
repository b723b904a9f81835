import { type RedialState, startOfRedials } from "./redial-policy.ts";

/** What an agent knows of the pair of job and agent id that it dials as. A fresh id makes another pair, of which nothing is known. */
export interface Pair {
  readonly agentId: string;
  /** The id was chosen by a person, so that another process may have it too. */
  readonly mayBeTaken: boolean;
  readonly redials: RedialState;
  /** When its last link ended, by the clock of the agent; undefined where it had none. */
  readonly linkEndMs?: number;
  /** How often in a row a connection just ended right after the 101, without a close frame. */
  readonly bareEnds: number;
  /** What its gateway says of the process that has it, where another one does. */
  readonly takenSays?: string;
}

export function startPair(agentId: string, mayBeTaken: boolean, redials: RedialState = startOfRedials): Pair {
  return { agentId, mayBeTaken, redials, bareEnds: 0 };
}
