import type { Policy } from "../simulator.ts";
import { wrapPolicy } from "../wrap-policy.ts";
import type { Tape } from "./tape.ts";

/** A policy whose observations and actions go on tape as they pass, byte for byte. The case notices nothing of it. */
export function recordPolicy(policy: Policy, tape: Tape): Policy {
  return wrapPolicy(policy, {
    async infer(observation) {
      // Sent first: while it is on its way, there is time to copy it.
      const answered = policy.infer(observation);
      tape.add("observation", observation);
      const action = await answered;
      tape.add("action", action);
      return action;
    },
  });
}
