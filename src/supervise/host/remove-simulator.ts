import { SortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { listSimulatorKeys, revokeSimulatorKey } from "../../gateway/records/simulator-keys.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";
import { readRecords } from "./open-data.ts";

interface RevokeTerms extends HostTerms {
  readonly id: number;
  readonly board: string;
}

/** @throws simulator_unknown */
export async function planRemoveSimulator(
  desk: Desk,
  config: GatewayConfig,
  wanted: string,
): Promise<ActionPlan> {
  const keys = await readRecords(config.dataFolder, listSimulatorKeys, () => []);
  const key = keys.find(({ id }) => String(id) === wanted);
  if (key === undefined) throw new SortieError("simulator_unknown", { id: quoteInput(wanted) });
  const { id, board } = key;
  return planHostAction<RevokeTerms>(desk, config, {
    action: "gateway simulator rm",
    terms: { id, board },
    restsOn: [{ kind: "simulator", id }],
    notes: ["a simulator that is connected plays its case to the end, and its score is taken"],
    sideEffects: [`revoke the simulator key ${id} of board ${board}: nobody is let in with it any more`],
    look: ["simulator", "ls"],
  });
}

export const action = defineHostAction<RevokeTerms>({
  async execute(desk, records, { id, board }) {
    revokeSimulatorKey(records, id, desk.clock.now());
    return {
      document: { simulator: { id, board } },
      words: [`Simulator key ${id} opens nothing any more.`],
    };
  },
});
