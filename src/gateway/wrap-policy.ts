import type { Policy } from "./simulator.ts";

/** The same policy, of which some calls are made in another way. */
export function wrapPolicy(policy: Policy, own: Partial<Pick<Policy, "infer" | "release">>): Policy {
  return {
    sessionId: policy.sessionId,
    get replies() {
      return policy.replies;
    },
    infer: (observation) => policy.infer(observation),
    release: () => policy.release?.(),
    ...own,
  };
}
