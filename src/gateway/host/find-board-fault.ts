import type { Store } from "../../store/store.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { type BoardKind, findBoardKind } from "../records/board-kinds.ts";
import type { JobRow } from "../records/jobs.ts";

/** How the boards of a configuration are played. */
export function listBoardKinds({ boards }: Pick<GatewayConfig, "boards">): Map<string, BoardKind> {
  return new Map(
    boards.map(({ name, simulator }) => [name, simulator === "outside" ? "outside" : "built-in"]),
  );
}

/** Why a job waits for its board, or is not played as it was submitted, with what to do; undefined: all is well. */
export function findBoardFault(
  config: Pick<GatewayConfig, "boards">,
  records: Store,
  { id, board }: Pick<JobRow, "id" | "board">,
): string | undefined {
  const kind = listBoardKinds(config).get(board);
  const orCancel = `or \`sortie gateway cancel ${id}\``;
  if (kind === undefined)
    return `job ${id} waits for board ${board}, which the configuration no longer has: put it back, ${orCancel}`;
  const before = findBoardKind(records, board, id) ?? kind;
  if (before === kind) return undefined;
  if (kind === "outside")
    return `job ${id} waits for a simulator from outside, since board ${board} is no longer built in: change it back, ${orCancel}`;
  return `job ${id} was submitted for a simulator from outside, and board ${board} is built in now: change it back, ${orCancel}`;
}
