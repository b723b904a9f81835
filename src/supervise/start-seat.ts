import { SortieError } from "../base/error.ts";
import { describeUse } from "../gpus/describe-gpu.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { changeRun, loadRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import type { OnStep } from "./launch-steps.ts";
import { startFromLine } from "./start-from-line.ts";

/** For so long after its GPU was found to be another's a seat is left alone. */
const TAKEN_REST_MS = 10_000;

/**
 * Starts the attempt that a seat's run waits for. Its `seat` is put on record as it is given, in the step that takes the run
 * up: so the agent id is known before anything dials with it. Nothing is done where the run no longer waits. Where another
 * holds its GPU it waits on; what cannot be started has ended then. For the watcher alone.
 */
export async function startSeat(desk: Desk, run: RunRecord, onStep: OnStep): Promise<RunRecord> {
  const uuid = run.seat?.gpu?.uuid ?? null;
  const use = uuid === null ? null : await findForeignUse(desk, run, uuid);
  if (use !== null) return rest(desk, run, use);
  const started = await startFromLine(desk, run, uuid === null ? [] : [uuid], onStep);
  return rest(desk, started, started.waitingFor);
}

/**
 * Programs that know nothing of leases may have come to use the GPU since it was chosen; null: none has. What cannot be asked
 * now was free then.
 */
async function findForeignUse(desk: Desk, run: RunRecord, uuid: string): Promise<string | null> {
  try {
    const { gpus } = await findTargetOf(desk, run).loadGpus({ python: null });
    const gpu = gpus.find((one) => one.uuid === uuid);
    return gpu?.state === "busy" ? describeUse([gpu]) : null;
  } catch (fault) {
    if (fault instanceof SortieError) return null;
    throw fault;
  }
}

/** Where the run still waits it is left alone for a while, and says for what. */
function rest(desk: Desk, { id }: RunRecord, waitingFor: string | null): RunRecord {
  const run = loadRun(desk.store, id);
  if (run.state !== "waiting" || !run.seat) return run;
  const notBefore = new Date(desk.clock.now().getTime() + TAKEN_REST_MS).toISOString();
  return changeRun(desk.store, id, { waitingFor, seat: { ...run.seat, notBefore } });
}
