import type { RunRecord } from "../runs/run-record.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { waitForEnd } from "./follow-run.ts";
import { settleRun } from "./settle-runs.ts";

/** A command that dies at once does so within this time. */
const VERIFY_MS = 1000;

export interface Verified {
  readonly run: RunRecord;
  readonly logBytes: number;
  /** null: the run has no GPU. */
  readonly gpuUse: "in use" | "not yet used" | "unknown" | null;
}

/** Looks whether a launched run really runs: its process lives, its log has begun, its GPU shows it. */
export async function verifyRun(desk: Desk, id: string): Promise<Verified> {
  const ended = await waitForEnd(desk, id, { timeoutMs: VERIFY_MS });
  const run = ended ?? (await settleRun(desk, id));
  const logBytes = await findTargetOf(desk, run).openFile(run.log).size();
  return { run, logBytes, gpuUse: isEnded(run.state) ? null : await findGpuUse(desk, run) };
}

async function findGpuUse(desk: Desk, run: RunRecord): Promise<Verified["gpuUse"]> {
  if (run.gpus.length === 0) return null;
  const report = await findTargetOf(desk, run).loadGpus({ python: null });
  const mine = report.gpus.filter((gpu) => gpu.uuid && run.gpus.includes(gpu.uuid));
  if (mine.some((gpu) => gpu.memoryUsedMiB === null)) return "unknown";
  return mine.some((gpu) => gpu.processes.length > 0) ? "in use" : "not yet used";
}
