import { planReady } from "../../../supervise/environment/plan-ready.ts";
import { readyOrPlanned } from "../../confirm-ready.ts";
import { defineEnvironment, type EnvironmentOptions } from "../../define-environment.ts";

export const command = defineEnvironment<EnvironmentOptions & { yes?: boolean }>({
  describe: (c) => c.option("--yes", "do it without a question"),
  asksGpus: () => false,
  run: async ({ io, desk, sight, options }) => {
    const plan = await planReady(desk, sight, {
      ...{ action: "env build", candidates: null, tiers: [1], again: false },
      ...{ agent: null, documentTimeoutMs: null },
    });
    return readyOrPlanned(io, desk, { plan, sight }, options);
  },
});
