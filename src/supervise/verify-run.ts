import { nameGpuWithModel } from "../gpus/describe-gpu.ts";
import type { Gpu, GpuReport } from "../gpus/gpu-report.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { loadRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import { readTail } from "../runs/tail-log.ts";
import type { StartSight } from "../targets/target.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { makeLaunchedNotice } from "./news/launched-notice.ts";
import { openNews } from "./news/open-news.ts";
import { openLog } from "./open-log.ts";

/** A command that dies at once does so within this time of its start. */
const VERIFY_MS = 1000;
const NO_SIGHT: StartSight = { answer: null, gpus: null };
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
  const before = loadRun(desk.store, id);
  const isOpen = !isEnded(before.state);
  const sight = isOpen ? await watchStart(desk, before, watchMs) : NO_SIGHT;
  const run = desk.unkept.get(id) ?? loadRun(desk.store, id);
  const logBytes = sight.answer?.runs.get(id)?.logBytes ?? (await openLog(desk, run)).size;
  const gpus = isEnded(run.state) ? [] : findOwnGpus(sight.gpus, run);
  const gpuNames = gpus.map(nameGpuWithModel);
  // Without a look at its first moment nothing is verified yet: the watcher tells it a little later.
  if (watchMs > 0 && run.state === "running" && !run.seat) await tellLaunch(desk, run, gpuNames);
  return { run, logBytes, gpuUse: judgeGpuUse(gpus), gpuNames };
}

async function tellLaunch(desk: Desk, run: RunRecord, gpuNames: readonly string[]): Promise<void> {
  const news = await openNews(desk);
  news?.add(makeLaunchedNotice(run, () => (gpuNames.length > 0 ? gpuNames : run.gpus)));
}

async function watchStart(desk: Desk, run: RunRecord, watchMs: number): Promise<StartSight> {
  const { settleByAnswer } = await import("./settle-host.ts");
  const sight = await findTargetOf(desk, run).watchStart(run, { watchMs, gpus: run.gpus.length > 0 });
  await settleByAnswer(desk, [run], sight.answer);
  return sight;
}

/** The last lines of a run's log, without the empty ones at the end. */
export async function readLogTail(desk: Desk, run: RunRecord): Promise<string[]> {
  const { log, from, size: end } = await openLog(desk, run);
  const { bytes } = await readTail(log, TAIL_LINES, { from, end });
  const text = bytes.toString("utf8").trimEnd();
  return text === "" ? [] : text.split("\n");
}

function findOwnGpus(report: GpuReport | null, run: RunRecord): Gpu[] {
  return report?.gpus.filter((gpu) => gpu.uuid && run.gpus.includes(gpu.uuid)) ?? [];
}

function judgeGpuUse(gpus: readonly Gpu[]): Verified["gpuUse"] {
  if (gpus.length === 0) return null;
  if (gpus.some((gpu) => gpu.memoryUsedMiB === null)) return "unknown";
  return gpus.some((gpu) => gpu.processes.length > 0) ? "in use" : "not yet used";
}
