import { nameJobFiles } from "../runs/job-folder.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { loadRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { openLog } from "./open-log.ts";
import { settleRun } from "./settle-runs.ts";
import { isSilence } from "./silence.ts";
import { makeWatcherKeeper } from "./watcher.ts";

const BLOCK = 1024 * 1024;
const IDLE_MS = 50;
const MAX_IDLE_MS = 400;
/** Over a network each look costs more. */
const MAX_REMOTE_IDLE_MS = 1000;
const OBSERVE_EVERY_MS = 2000;
/** A host that does not answer is asked so often, beside the time that it is given. */
const SILENT_PAUSE_MS = 2000;

export interface Follower {
  onBytes(bytes: Uint8Array): void;
  /** Told once each time that the host ceases to answer; it is waited for. */
  onSilence?(run: RunRecord): void;
  readonly signal?: AbortSignal;
  readonly offset?: number;
}

/**
 * Hands on the log's bytes as they come, from `offset` (default: the start), until the run has ended or the signal
 * aborts; where it is started again, that attempt's log follows whole. Answers with the run's newest record and the
 * offset to go on from.
 */
export async function followRun(
  desk: Desk,
  id: string,
  options: Follower,
): Promise<{ run: RunRecord; offset: number }> {
  let offset = options.offset ?? 0;
  let run = loadRun(desk.store, id);
  let { log } = run;
  let idleMs = IDLE_MS;
  let observedMs = desk.clock.monotonicMs();
  let isSilent = false;
  const wasEnded = isEnded(run.state);
  const keepWatcher = makeWatcherKeeper(desk);
  const observe = async () => {
    run = await settleRun(desk, id);
    keepWatcher();
    observedMs = desk.clock.monotonicMs();
  };
  while (!options.signal?.aborted) {
    const ended = isEnded(run.state);
    const seen = await look(desk, run, { log, offset });
    if (seen === null) {
      if (wasEnded) break; // what there is of it was read before
      await observe();
      if (!ended && isEnded(run.state)) continue; // over: it may be home by now, and its rented machine gone
      if (!isSilent) options.onSilence?.(run);
      isSilent = true;
      await desk.clock.sleep(SILENT_PAUSE_MS, options.signal);
      continue;
    }
    isSilent = false;
    const { bytes, hasExit } = seen;
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
    await desk.clock.sleep(hasExit ? IDLE_MS : idleMs, options.signal);
    idleMs = Math.min(idleMs * 1.5, run.remote ? MAX_REMOTE_IDLE_MS : MAX_IDLE_MS);
    if (hasExit || desk.clock.monotonicMs() - observedMs > OBSERVE_EVERY_MS) await observe();
  }
  return { run, offset };
}

interface Look {
  /** What follows in the log, at most a block. */
  readonly bytes: Uint8Array;
  /** The attempt has left its exit record. */
  readonly hasExit: boolean;
}

/** One question to the host; null: it does not answer. */
async function look(
  desk: Desk,
  run: RunRecord,
  { log, offset }: { log: string; offset: number },
): Promise<Look | null> {
  const { exit } = nameJobFiles(run.jobFolder, run.attempt);
  try {
    // An ended run may be home already, and its host gone.
    if (isEnded(run.state) && run.remote) {
      const { log: source, silence } = await openLog(desk, run, log);
      return silence ? null : { bytes: await source.read(offset, BLOCK), hasExit: true };
    }
    const wishes = [
      { path: log, from: offset, most: BLOCK },
      { path: exit, from: 0, most: 0 },
    ];
    const [part, record] = await findTargetOf(desk, run).readRanges(wishes);
    return { bytes: part?.bytes ?? new Uint8Array(), hasExit: (record?.size ?? 0) > 0 };
  } catch (fault) {
    if (isSilence(fault)) return null;
    throw fault;
  }
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
