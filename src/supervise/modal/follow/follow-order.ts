import { readFileSync } from "node:fs";
import { describeFault, SortieError } from "../../../base/error.ts";
import {
  isEachValue,
  isNumber,
  isOrNull,
  isShape,
  isText,
  isTextList,
  parseJson,
} from "../../../base/shape.ts";

/** What the job of a run on Modal does: start the app, follow it, and end as it does. */
export interface FollowOrder {
  readonly schema: 1;
  readonly runId: string;
  /** `modal run …` */
  readonly argv: readonly string[];
  /** The name by which `modal app list` shows it. */
  readonly app: string;
  readonly cwd: string;
  /** Beside those of the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Keeps how the command ended; null: nothing does. */
  readonly volume: string | null;
  /** Longer than this it cannot run, in seconds. */
  readonly limitS: number;
}

const isOrder = isShape<FollowOrder>({
  ...{ schema: isNumber, runId: isText, argv: isTextList, app: isText, cwd: isText },
  ...{ volume: isOrNull(isText), limitS: isNumber, variables: isEachValue<string>(isText) },
});

/** @throws file_unreadable */
export function loadOrder(path: string): FollowOrder {
  let reason = "it holds no such order";
  try {
    const order = parseJson(readFileSync(path, "utf8"), isOrder);
    if (order !== null) return order;
  } catch (fault) {
    reason = describeFault(fault);
  }
  const advice = "A launch on Modal writes it into the job folder: launch anew.";
  throw new SortieError("file_unreadable", { path, reason, advice });
}
