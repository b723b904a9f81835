import type { JobHost } from "./job-parts.ts";
import type { JobTable } from "./job-table.ts";

/** A time limit is kept to a twentieth of the shortest one, within these bounds. */
const SHARE = 20;
const LEAST_MS = 5;
const MOST_MS = 500;

/**
 * Looks at every tunnel again and again: pings, silence, windows and drains that are due. One timer for all, since ten
 * thousand idle agents would otherwise hold tens of thousands. Returns what ends it.
 */
export function startSweep(jobs: JobTable, { clock, timers }: JobHost): () => void {
  const ending = new AbortController();
  const pauseMs = choosePause(Object.values(timers));
  const run = async () => {
    let sweptAtMs = clock.monotonicMs();
    for (;;) {
      await clock.sleep(pauseMs, ending.signal);
      // A pause of this whole process was no silence of the agents: it is not counted, and what came meanwhile is read first.
      const isLate = clock.monotonicMs() - sweptAtMs > 2 * pauseMs;
      if (isLate) await clock.sleep(pauseMs, ending.signal);
      if (ending.signal.aborted) return;
      const nowMs = clock.monotonicMs();
      for (const job of jobs.live) job.sweep(nowMs, isLate ? nowMs - sweptAtMs : 0);
      sweptAtMs = nowMs;
    }
  };
  void run();
  return () => ending.abort();
}

function choosePause(limitsMs: readonly number[]): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, Math.min(...limitsMs) / SHARE));
}
