import { nameJobFiles } from "../runs/job-folder.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { loadRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { settleRun } from "./settle-runs.ts";
import { makeWatcherKeeper } from "./watcher.ts";

const BLOCK = 1024 * 1024;
const IDLE_MS = 50;
const MAX_IDLE_MS = 400;
const OBSERVE_EVERY_MS = 2000;

/**
 * Hands on the log's bytes as they come, from `offset` (default: the start), until the run has ended or the signal
 * aborts; where it is started again, that attempt's log follows whole. Answers with the run's newest record and the
 * offset to go on from.
 */
export async function followRun(
  desk: Desk,
  id: string,
  options: { onBytes: (bytes: Uint8Array) => void; signal?: AbortSignal; offset?: number },
): Promise<{ run: RunRecord; offset: number }> {
  const target = findTargetOf(desk, loadRun(desk.store, id));
  let offset = options.offset ?? 0;
  let run = loadRun(desk.store, id);
  let { log } = run;
  let idleMs = IDLE_MS;
  let observedMs = desk.clock.monotonicMs();
  const keepWatcher = makeWatcherKeeper(desk);
  while (!options.signal?.aborted) {
    const ended = isEnded(run.state);
    const bytes = await target.openFile(log).read(offset, BLOCK);
    if (bytes.length > 0) {
      offset += bytes.length;
      options.onBytes(bytes);
      idleMs = IDLE_MS;
      if (bytes.length === BLOCK) continue;
    } else if (log !== run.log) {
      log = run.log;
      offset = 0;
      continue;
    } else if (ended) {
      break;
    }
    if (ended) continue;
    await desk.clock.sleep(idleMs, options.signal);
    idleMs = Math.min(idleMs * 1.5, MAX_IDLE_MS);
    const exitThere = (await target.openFile(nameJobFiles(run.jobFolder, run.attempt).exit).size()) > 0;
    if (exitThere || desk.clock.monotonicMs() - observedMs > OBSERVE_EVERY_MS) {
      run = await settleRun(desk, id);
      keepWatcher();
      observedMs = desk.clock.monotonicMs();
    }
  }
  return { run, offset };
}

/**
 * Waits for the run's end without its log, also over a host that does not answer for a while, of which `onSilence` is
 * told once each time. null when the time is over or the signal aborts.
 */
export async function waitForEnd(
  desk: Desk,
  id: string,
  options: { timeoutMs: number | null; signal?: AbortSignal; onSilence?: (run: RunRecord) => void },
): Promise<RunRecord | null> {
  const until =
    options.timeoutMs === null ? Number.POSITIVE_INFINITY : desk.clock.monotonicMs() + options.timeoutMs;
  let pauseMs = IDLE_MS;
  let wasReachable = true;
  const keepWatcher = makeWatcherKeeper(desk);
  for (;;) {
    const run = await settleRun(desk, id);
    keepWatcher();
    if (isEnded(run.state)) return run;
    if (wasReachable && !run.reachable) options.onSilence?.(run);
    wasReachable = run.reachable;
    const leftMs = until - desk.clock.monotonicMs();
    if (leftMs <= 0 || options.signal?.aborted) return null;
    await desk.clock.sleep(Math.min(pauseMs, leftMs), options.signal);
    pauseMs = Math.min(pauseMs * 1.5, 1000);
  }
}
