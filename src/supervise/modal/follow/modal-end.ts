import { readFileSync } from "node:fs";
import { isObject, isOrNull, isShape, isText, parseJson } from "../../../base/shape.ts";
import type { RunModalFault } from "../../../runs/run-modal.ts";
import type { ModalExit } from "../../../targets/modal/manifest.ts";

/** How a run on Modal ended, as its follower leaves it in the job folder. */
export interface ModalEnd {
  readonly appId: string | null;
  readonly page: string | null;
  /** As the launcher wrote it down at Modal; null: there is no such record. */
  readonly exit: ModalExit | null;
  readonly fault: RunModalFault | null;
  /** What the follower could not do or find out, for people; null: nothing. */
  readonly doubt: string | null;
}

const isEnd = isShape<ModalEnd>({
  ...{ appId: isOrNull(isText), page: isOrNull(isText), doubt: isOrNull(isText) },
  ...{
    exit: isOrNull(isObject as (value: unknown) => boolean),
    fault: isOrNull(isObject as (value: unknown) => boolean),
  },
});

/** null: the follower has not come to its end, or was killed. */
export function readModalEnd(path: string): ModalEnd | null {
  try {
    return parseJson(readFileSync(path, "utf8"), isEnd);
  } catch {
    return null; // it is not there
  }
}
