import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";

/**
 * Ends what an ended run has left behind. Its supervisor does that, so there is something to do only where that was
 * killed: the grace time, then TERM, then KILL.
 */
export async function endLeftovers(desk: Desk, run: RunRecord): Promise<void> {
  const target = findTargetOf(desk, run);
  const seen = (await target.observe([run]))?.runs.get(run.id);
  if (!seen || seen.supervisorAlive || seen.carriers.length === 0) return;
  await target.stop(run, { graceS: run.request.graceS, by: "sortie" });
}
