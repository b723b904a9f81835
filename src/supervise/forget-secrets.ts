import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { removeVariables } from "./plan-variables.ts";

/** Removes the values of a run's variables wherever a process that was killed may have left them. */
export async function forgetSecrets(desk: Desk, run: RunRecord): Promise<void> {
  removeVariables(desk, run.plan);
  await findTargetOf(desk, run).tidy(run);
}
