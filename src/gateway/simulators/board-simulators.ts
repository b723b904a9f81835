import { SortieError } from "../../base/error.ts";
import type { BoardConfig } from "../config/gateway-config.ts";
import type { Simulator } from "../simulator.ts";
import { makeEchoSimulator } from "./echo.ts";
import { makeReachSimulator } from "./reach.ts";

/** Whether a board's cases are played here, and by what. */
export function isBuiltIn({ simulator }: BoardConfig): boolean {
  return simulator !== "outside";
}

/** Plays each case with the simulator of its board; SortieError `simulator_failed` for a board that has none here. */
export function makeBoardSimulator(boards: readonly BoardConfig[]): Simulator {
  const simulators = new Map(boards.filter(isBuiltIn).map((board) => [board.name, makeSimulator(board)]));
  return (policy, spec, signal) => {
    const simulator = simulators.get(spec.board ?? "");
    if (simulator !== undefined) return simulator(policy, spec, signal);
    throw new SortieError("simulator_failed", {
      reason: `no simulator is built in for the board ${spec.board}`,
    });
  };
}

function makeSimulator({ name, simulator, steps }: BoardConfig): Simulator {
  return simulator === "reach" ? makeReachSimulator({ steps }) : makeEchoSimulator({ steps, board: name });
}
