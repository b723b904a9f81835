import type { RunRecord } from "../runs/run-record.ts";
import { changeRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
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
  const uuid = run.seat?.gpu?.uuid;
  const started = await startFromLine(desk, run, uuid ? [uuid] : [], onStep);
  if (started.state !== "waiting" || !started.seat) return started;
  const notBefore = new Date(desk.clock.now().getTime() + TAKEN_REST_MS).toISOString();
  return changeRun(desk.store, run.id, { seat: { ...started.seat, notBefore } });
}
