import type { JobHost, JobRun } from "./job-run.ts";

/** A time limit is kept to a twentieth of the shortest one, and never looked at more often or less than this. */
const SHARE = 20;
const LEAST_MS = 5;
const MOST_MS = 500;

/**
 * Looks at every tunnel again and again: pings, silence, windows and drains that are due. One timer for all, since ten
 * thousand idle agents would otherwise hold tens of thousands. Returns what ends it.
 */
export function startSweep(jobs: ReadonlyMap<string, JobRun>, { clock, timers }: JobHost): () => void {
  const ending = new AbortController();
  const shortestMs = Math.min(...Object.values(timers));
  const pauseMs = Math.min(MOST_MS, Math.max(LEAST_MS, shortestMs / SHARE));
  const run = async () => {
    while (!ending.signal.aborted) {
      const nowMs = clock.monotonicMs();
      for (const job of jobs.values()) job.sweep(nowMs);
      await clock.sleep(pauseMs, ending.signal);
    }
  };
  void run();
  return () => ending.abort();
}
