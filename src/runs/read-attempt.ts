import type { Observation } from "./observe-script.ts";

/**
 * What an observation says of one attempt. Of one that has left nothing yet, the newest there is its predecessor: what that
 * left, and what carries the run's id since then, is no news of it.
 */
export function readAttempt(seen: Observation, attempt: number): Observation {
  if (seen.attempt >= attempt) return seen;
  return {
    ...seen,
    attempt,
    ...{ pid: null, stop: null, exit: null, closed: false, carriers: [] },
    ...{ supervisorAlive: false, commandAlive: false, logBytes: null, sampledAt: null },
  };
}
