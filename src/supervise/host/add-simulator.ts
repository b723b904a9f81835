import { SortieError } from "../../base/error.ts";
import { findLikely } from "../../base/nearest.ts";
import { quoteInput } from "../../base/quote-input.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { insertSimulatorKey } from "../../gateway/records/simulator-keys.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";

interface SimulatorTerms extends HostTerms {
  readonly board: string;
}

/** @throws board_unknown */
export async function planAddSimulator(desk: Desk, config: GatewayConfig, name: string): Promise<ActionPlan> {
  const board = findBoard(config, name);
  const isOutside = board.simulator === "outside";
  return planHostAction<SimulatorTerms>(desk, config, {
    action: "gateway simulator add",
    terms: { board: board.name },
    restsOn: [{ kind: "board", file: config.file, board: board.name, simulator: board.simulator }],
    notes: isOutside ? [] : [`cases of ${board.name} are played by its built-in ${board.simulator} too`],
    sideEffects: [
      `make a key with which simulators may play cases of board ${board.name}, and set their scores`,
      "show the key once",
    ],
    look: ["simulator", "ls"],
  });
}

export const action = defineHostAction<SimulatorTerms>({
  async execute(desk, records, { board }) {
    const { id, key } = insertSimulatorKey(records, board, desk.clock.now());
    return {
      document: { simulator: { id, board }, key },
      words: [
        `Simulator key ${id} opens board ${board}. It is shown only here:`,
        key,
        "Simulators send it as `Authorization: Api-Key KEY`.",
      ],
    };
  },
});

/** @throws board_unknown */
export function findBoard({ boards, file }: GatewayConfig, name: string): GatewayConfig["boards"][number] {
  const found = boards.find((board) => board.name === name);
  if (found !== undefined) return found;
  const names = boards.map((board) => board.name);
  const nearest = findLikely(name, names);
  throw new SortieError("board_unknown", {
    ...{ board: quoteInput(name), file, boards: names },
    nearest: nearest ? ` Did you mean ${nearest}?` : "",
  });
}
