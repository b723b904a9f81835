import { pack } from "../../payload/pack.ts";
import type { BoardConfig } from "../config/gateway-config.ts";
import type { CaseSpec } from "../simulator.ts";

/**
 * The first frame of the `openpi` dialect: `{case_id, session_id, board, payload, task, index, seed}` as msgpack. Nothing in it
 * opens anything: who submitted the job, and with what, is not a simulator's to know.
 */
export function packMetadata(
  spec: CaseSpec,
  sessionId: string,
  { board, payload }: { readonly board: string; readonly payload: BoardConfig["payload"] },
): Uint8Array {
  const { id = null, task, index, seed } = spec;
  return pack({ case_id: id, session_id: sessionId, board, payload, task, index, seed });
}
