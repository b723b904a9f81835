import { userInfo } from "node:os";
import { SortieError, toSortieError } from "../base/error.ts";
import type { Gpu } from "../gpus/gpu-report.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { moveRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk, Environment } from "./desk.ts";
import { findTargetOf, isPlaced } from "./find-target.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { settleRun } from "./settle-runs.ts";
import { isSilence } from "./silence.ts";

const FREE_MS = 2000;
const PAUSE_MS = 250;
const SETTLE_TRIES = 4;

export interface Stopped {
  readonly run: RunRecord;
  /** It had ended before; nothing was done but looking for processes that it left. */
  readonly wasEnded: boolean;
  /** Numbers of its processes that outlived KILL. */
  readonly survivors: readonly number[];
  /** Its GPUs that still hold memory although nothing else uses them. */
  readonly heldGpus: readonly { uuid: string; memoryUsedMiB: number }[];
}

/**
 * Stops a run and makes sure of it: nothing of it is left, and its GPUs are free again, else that is said. `by` is who
 * asks, for the record; default: the person. @throws run_out_of_reach, stop_unanswered, stop_unfinished
 */
export async function stopRun(
  desk: Desk,
  id: string,
  options: { graceS: number | null; by?: string },
): Promise<Stopped> {
  const before = await settleRun(desk, id);
  refuseOutOfReach(before);
  const by = options.by ?? findPersonName(desk.env);
  const graceS = options.graceS ?? before.request.graceS;
  const { run, survivors } = await stopAttempts(desk, before, { graceS, by });
  if (!isEnded(run.state) && run.silence) {
    const { reason, hint: advice } = run.silence;
    throw new SortieError("stop_unanswered", { run: run.name, reason, advice });
  }
  const wasEnded = isEnded(before.state);
  return { run, wasEnded, survivors, heldGpus: await waitForGpus(desk, run, { survivors, wasEnded }) };
}

/** An attempt that ended by itself just then may be followed by another: then that one is stopped. */
async function stopAttempts(
  desk: Desk,
  before: RunRecord,
  order: { graceS: number; by: string },
): Promise<{ run: RunRecord; survivors: readonly number[] }> {
  if (!isPlaced(before)) return stopRental(desk, before, order);
  const { survivors } = await askToStop(desk, before, order);
  const run = await settleStopped(desk, before.id);
  if (!isEnded(run.state) && run.attempt !== before.attempt) return stopAttempts(desk, run, order);
  return { run: await endWaiting(desk, run, order.by), survivors };
}

/** Nobody is to be asked yet: whoever rents its machine sees its end, and gives the machine up; so does the watcher after them. */
async function stopRental(
  desk: Desk,
  before: RunRecord,
  order: { graceS: number; by: string },
): Promise<{ run: RunRecord; survivors: readonly number[] }> {
  const run = await endWaiting(desk, before, order.by);
  return isEnded(run.state) ? { run, survivors: [] } : stopAttempts(desk, run, order); // launched just then
}

/** A host over the network that has just kept its answer is asked all the same: it may only be slow. */
function refuseOutOfReach({ reachable, remote, silence, name, host }: RunRecord): void {
  if (reachable || (remote && silence?.code !== "host_replaced")) return;
  throw new SortieError(remote ? "host_replaced" : "run_out_of_reach", { run: name, host });
}

/** @throws stop_unanswered: nothing is known then, and nothing goes on record */
async function askToStop(desk: Desk, run: RunRecord, order: { graceS: number; by: string }) {
  try {
    return await findTargetOf(desk, run).stop(run, order);
  } catch (fault) {
    if (!isSilence(fault)) throw fault;
    const { message: reason, hint: advice } = toSortieError(fault);
    throw new SortieError("stop_unanswered", { run: run.name, reason, advice }, fault);
  }
}

/** It has answered just now: where the next question is lost it is put again. */
async function settleStopped(desk: Desk, id: string): Promise<RunRecord> {
  for (let tries = 1; ; tries += 1) {
    const run = await settleRun(desk, id);
    if (isEnded(run.state) || run.reachable || tries === SETTLE_TRIES) return run;
    await desk.clock.sleep(PAUSE_MS);
  }
}

/** Who asks for a stop, as records name them. */
export function findPersonName(env: Environment): string {
  const told = env["USER"] || env["LOGNAME"];
  if (told) return told;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`; // a number without a name, as in many containers
  }
}

/** What waits has nothing on its host but the mark that keeps it from ever starting, which is there now. */
async function endWaiting(desk: Desk, run: RunRecord, by: string): Promise<RunRecord> {
  if (run.state !== "waiting" && run.state !== "planned") return run;
  const { explainUnstarted } = await import("./explain-end.ts"); // its table of symptoms is for ends alone
  const endedAt = desk.clock.now().toISOString();
  const end = { endReason: "stopped" as const, endedAt, evidence: null, stop: { by, at: endedAt } };
  const isMeant = (newest: RunRecord) => newest.attempt === run.attempt && isPlaced(newest) === isPlaced(run);
  const stopped = moveRun(desk.store, run.id, "stopped", explainUnstarted(run, end), isMeant);
  if (run.seat && isEnded(stopped.state)) await forgetSecrets(desk, stopped);
  return stopped;
}

/** @throws stop_incomplete naming what is left */
export function checkStopped({ run, survivors, heldGpus }: Stopped): void {
  if (survivors.length === 0 && heldGpus.length === 0) return;
  const held = heldGpus.map((gpu) => `${gpu.memoryUsedMiB} MiB on ${gpu.uuid}`);
  throw new SortieError("stop_incomplete", {
    run: run.name,
    survivors: [...survivors.map((pid) => `process ${pid}`), ...held],
    pids: survivors,
  });
}

interface Rest {
  readonly survivors: readonly number[];
  readonly wasEnded: boolean;
}

/** A driver may need a moment to free the memory of a process that was killed. */
async function waitForGpus(desk: Desk, run: RunRecord, rest: Rest): Promise<Stopped["heldGpus"]> {
  if (run.gpus.length === 0) return [];
  const until = desk.clock.monotonicMs() + FREE_MS;
  for (;;) {
    const report = await findTargetOf(desk, run).loadGpus({ python: null });
    const held = report.gpus.filter((gpu) => run.gpus.includes(gpu.uuid ?? "") && isHeldBy(gpu, rest));
    if (held.length === 0 || desk.clock.monotonicMs() > until)
      return held.map((gpu) => ({ uuid: gpu.uuid ?? "", memoryUsedMiB: gpu.memoryUsedMiB ?? 0 }));
    await desk.clock.sleep(PAUSE_MS);
  }
}

/** By what outlived KILL, by the dead, or by what cannot be seen; long after the end that may be another's. */
function isHeldBy(gpu: Gpu, { survivors, wasEnded }: Rest): boolean {
  if (gpu.processes.some((process) => survivors.includes(process.pid))) return true;
  if (wasEnded) return gpu.reason === "dead_process";
  return gpu.state === "busy" && gpu.processes.every((process) => process.alive !== true);
}
