import { appendEvent, listEvents } from "../../runs/events.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { COLLECTED_MARK } from "../../targets/vast/guard/make-guard.ts";
import { makeMark } from "../../targets/vast/guard/make-mark.ts";
import type { Desk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import { isSilence } from "../silence.ts";
import type { Instance } from "./instance.ts";

const TOLD = "guard_told";

/**
 * Tells the guard of a machine that is to stay that all of its run is home, so that it stops nothing for want of somebody who
 * comes. Where the machine is to be destroyed it is not told: should home go away before that, it is the last who can end the
 * cost. A host that does not answer is told another time.
 */
export async function markCollected(desk: Desk, run: RunRecord, instance: Instance): Promise<void> {
  if (!instance.isGuarded || instance.autoDestroy || !isAllHome(run) || isTold(desk, run)) return;
  const { ask } = findTargetOf(desk, run);
  const text = desk.clock.now().toISOString();
  try {
    const isThere = await ask?.(makeMark({ mark: COLLECTED_MARK, folder: run.jobFolder, text }));
    if (isThere) appendEvent(desk.store, run.id, TOLD, { mark: COLLECTED_MARK }, desk.clock.now());
  } catch (fault) {
    if (!isSilence(fault)) throw fault;
  }
}

function isAllHome({ startedAt, results }: RunRecord): boolean {
  return startedAt !== null && results !== null && !results.some(({ changing }) => changing);
}

function isTold(desk: Desk, { id }: RunRecord): boolean {
  return listEvents(desk.store, id).some(({ kind }) => kind === TOLD);
}
