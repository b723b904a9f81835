import { choosePause } from "./choose-pause.ts";
import type { JobHost } from "./job-parts.ts";
import type { JobTable } from "./job-table.ts";

const MOST_PAUSE_MS = 500;

/** After so many tunnels others get their turn: ten thousand pings in one go would hold up every session. */
const SLICE = 100;

/**
 * Looks at every tunnel again and again: pings, silence, windows and drains that are due. One timer for all, since ten
 * thousand idle agents would otherwise hold tens of thousands. Returns what ends it.
 */
export function startSweep(jobs: JobTable, { clock, timers }: JobHost): () => void {
  const ending = new AbortController();
  const pauseMs = choosePause(Math.min(...Object.values(timers)), MOST_PAUSE_MS);
  /** So long this whole process stood still since the last sweep: no silence of the agents, and not counted. */
  let stoodStillMs = 0;
  const rest = async (ms: number) => {
    const fromMs = clock.monotonicMs();
    await clock.sleep(ms, ending.signal);
    return clock.monotonicMs() - fromMs;
  };
  const sweepAll = async (pausedMs: number) => {
    const nowMs = clock.monotonicMs();
    let swept = 0;
    for (const job of jobs.live) {
      for (const tunnel of job.tunnels.values()) {
        tunnel.sweep(nowMs, pausedMs);
        swept += 1;
        if (swept % SLICE > 0) continue;
        const tookMs = await rest(0);
        if (tookMs > pauseMs) stoodStillMs += tookMs;
        if (ending.signal.aborted) return;
      }
      job.sweep(nowMs);
    }
  };
  const run = async () => {
    while (!ending.signal.aborted) {
      const tookMs = await rest(pauseMs);
      // What came meanwhile is read first.
      if (tookMs > 2 * pauseMs) stoodStillMs += tookMs + (await rest(pauseMs));
      if (ending.signal.aborted) return;
      const pausedMs = stoodStillMs;
      stoodStillMs = 0;
      await sweepAll(pausedMs);
    }
  };
  void run();
  return () => ending.abort();
}
