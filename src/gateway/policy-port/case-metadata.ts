import { pack } from "../../payload/pack.ts";
import type { CaseSpec } from "../simulator.ts";

/** The first frame of the `openpi` dialect: `{case_id, session_id, board, task, index, seed}` as msgpack. */
export function packMetadata(spec: CaseSpec, sessionId: string, board: string): Uint8Array {
  const { id = null, task, index, seed } = spec;
  return pack({ case_id: id, session_id: sessionId, board: spec.board ?? board, task, index, seed });
}
