import type { Clock } from "../../base/clock.ts";
import { choosePause } from "../choose-pause.ts";

const MOST_PAUSE_MS = 1_000;

interface Watch {
  look(elapsedMs: number): void;
  /** A look failed; the next one comes all the same. */
  onFault(fault: unknown): void;
}

/**
 * Calls `look` again and again with the milliseconds since the last time, for limits of at least `shortestMs`. While this
 * whole process stands still nobody can be heard, so such a pause counts little. Returns what ends it.
 */
export function keepWatch(clock: Clock, shortestMs: number, { look, onFault }: Watch): () => void {
  const ending = new AbortController();
  const pauseMs = choosePause(shortestMs, MOST_PAUSE_MS);
  const run = async () => {
    let lookedAtMs = clock.monotonicMs();
    for (;;) {
      await clock.sleep(pauseMs, ending.signal);
      if (ending.signal.aborted) return;
      const nowMs = clock.monotonicMs();
      try {
        look(Math.min(nowMs - lookedAtMs, 2 * pauseMs));
      } catch (fault) {
        onFault(fault);
      }
      lookedAtMs = nowMs;
    }
  };
  void run();
  return () => ending.abort();
}
