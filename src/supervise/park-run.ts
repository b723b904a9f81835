import { withoutMarks } from "../runs/run-marks.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { moveRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { readyRun } from "./environment/ready-run.ts";
import { againWhenDamaged, bringCode, type Launch, makeJob } from "./launch-run.ts";
import type { OnStep } from "./launch-steps.ts";
import { settleRun } from "./settle-runs.ts";

/**
 * Puts a run in line for a GPU. The watcher starts it later, with the environment of now: its `env` file holds the
 * whole of it until the command reads it.
 */
export async function parkRun(
  desk: Desk,
  run: RunRecord,
  launch: Launch,
  waitingFor: string,
  onStep: OnStep,
): Promise<RunRecord> {
  const sent = await bringCode(desk, run, launch, onStep);
  const ready = await readyRun(desk, run, launch, { isParked: true });
  if (ready === null) return settleRun(desk, run.id);
  onStep("environment_ready");
  // On another host it has the environment of a login there.
  const inherited = run.remote ? {} : withoutMarks(launch.env);
  const job = makeJob(ready.run, { ...launch, variables: null }, { ...inherited, ...launch.variables });
  await againWhenDamaged(launch, () => launch.target.prepare({ ...job, sent }, { isParked: true }));
  const parked = moveRun(desk.store, run.id, "waiting", { waitingFor, startIntentAt: null });
  onStep("parked");
  return parked;
}
