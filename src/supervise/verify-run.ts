import { nameGpuWithModel } from "../gpus/describe-gpu.ts";
import type { Gpu } from "../gpus/gpu-report.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { isEnded } from "../runs/states.ts";
import { readTail } from "../runs/tail-log.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { waitForEnd } from "./follow-run.ts";
import { settleRun } from "./settle-runs.ts";

/** A command that dies at once does so within this time of its start. */
const VERIFY_MS = 1000;
/** Its start itself takes tens of milliseconds; a host under load may need longer. */
const START_MS = 10_000;
const PAUSE_MS = 20;
const TAIL_LINES = 10;

export interface Verified {
  readonly run: RunRecord;
  readonly logBytes: number;
  /** null: the run has no GPU. */
  readonly gpuUse: "in use" | "not yet used" | "unknown" | null;
  /** `GPU 1 (Tesla T4)` for each of its GPUs. */
  readonly gpuNames: readonly string[];
}

/** Looks whether a launched run really runs: its process lives, its log has begun, its GPU shows it. */
export async function verifyRun(
  desk: Desk,
  id: string,
  { watchMs = VERIFY_MS }: { watchMs?: number } = {},
): Promise<Verified> {
  await waitForStart(desk, id);
  const ended = await waitForEnd(desk, id, { timeoutMs: watchMs });
  const run = ended ?? (await settleRun(desk, id));
  const logBytes = await findTargetOf(desk, run).openFile(run.log).size();
  const gpus = isEnded(run.state) ? [] : await loadOwnGpus(desk, run);
  return { run, logBytes, gpuUse: judgeGpuUse(gpus), gpuNames: gpus.map(nameGpuWithModel) };
}

/** The last lines of a run's log, without the empty ones at the end. */
export async function readLogTail(desk: Desk, run: RunRecord): Promise<string[]> {
  const { bytes } = await readTail(findTargetOf(desk, run).openFile(run.log), TAIL_LINES);
  const text = bytes.toString("utf8").trimEnd();
  return text === "" ? [] : text.split("\n");
}

/** Until the command has put itself on record. */
async function waitForStart(desk: Desk, id: string): Promise<void> {
  const until = desk.clock.monotonicMs() + START_MS;
  for (;;) {
    const run = await settleRun(desk, id);
    if (run.pid !== null || isEnded(run.state) || desk.clock.monotonicMs() > until) return;
    await desk.clock.sleep(PAUSE_MS);
  }
}

async function loadOwnGpus(desk: Desk, run: RunRecord): Promise<Gpu[]> {
  if (run.gpus.length === 0) return [];
  const report = await findTargetOf(desk, run).loadGpus({ python: null });
  return report.gpus.filter((gpu) => gpu.uuid && run.gpus.includes(gpu.uuid));
}

function judgeGpuUse(gpus: readonly Gpu[]): Verified["gpuUse"] {
  if (gpus.length === 0) return null;
  if (gpus.some((gpu) => gpu.memoryUsedMiB === null)) return "unknown";
  return gpus.some((gpu) => gpu.processes.length > 0) ? "in use" : "not yet used";
}
