import { SortieError } from "../base/error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { loadRun, moveRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { settleRun } from "./settle-runs.ts";

export interface Stopped {
  readonly run: RunRecord;
  /** It had ended before; nothing was done but looking for processes that it left. */
  readonly wasEnded: boolean;
  /** Numbers of its processes that outlived KILL. */
  readonly survivors: readonly number[];
  /** Its GPUs that still hold memory although nothing else uses them. */
  readonly heldGpus: readonly { uuid: string; memoryUsedMiB: number }[];
}

/** Stops a run and makes sure of it: nothing of it is left, and its GPUs are free again, else that is said. */
export async function stopRun(desk: Desk, id: string, options: { graceS: number | null }): Promise<Stopped> {
  const before = await settleRun(desk, id);
  if (before.state === "waiting" || before.state === "planned") {
    const run = moveRun(desk.store, id, "stopped", {
      endReason: "stopped",
      endedAt: desk.clock.now().toISOString(),
      results: [],
    });
    // The watcher may have begun to launch it in this very moment: then it is stopped like any other.
    if (run.state === "stopped") return { run, wasEnded: false, survivors: [], heldGpus: [] };
  }
  const run = loadRun(desk.store, id);
  const target = findTargetOf(desk, run);
  const { survivors } = await target.stop(run, {
    graceS: options.graceS ?? run.request.graceS,
    by: desk.env["USER"] ?? "unknown",
  });
  const after = await settleRun(desk, id);
  return {
    run: after,
    wasEnded: isEnded(before.state),
    survivors,
    heldGpus: await findHeldGpus(desk, after, survivors),
  };
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

async function findHeldGpus(desk: Desk, run: RunRecord, survivors: readonly number[]) {
  if (run.gpus.length === 0) return [];
  const report = await findTargetOf(desk, run).loadGpus({ python: null });
  return report.gpus.flatMap((gpu) => {
    if (!gpu.uuid || !run.gpus.includes(gpu.uuid)) return [];
    const mine = gpu.processes.some((process) => survivors.includes(process.pid));
    const orphaned = gpu.reason === "dead_process";
    return mine || orphaned ? [{ uuid: gpu.uuid, memoryUsedMiB: gpu.memoryUsedMiB ?? 0 }] : [];
  });
}
