import { loadRun } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";

const EVERY_MS = 500;

/**
 * Aborts its signal once a run that is being prepared has ended, as by a stop from another process. `done` ends the looking,
 * and must be called.
 */
export function watchForStop(
  desk: Pick<Desk, "store" | "clock">,
  runId: string,
): { readonly signal: AbortSignal; done(): void } {
  const stopped = new AbortController();
  const done = new AbortController();
  const watch = async () => {
    while (!done.signal.aborted && !stopped.signal.aborted) {
      await desk.clock.sleep(EVERY_MS, done.signal);
      if (!done.signal.aborted && hasEnded(desk, runId)) stopped.abort();
    }
  };
  void watch();
  return { signal: stopped.signal, done: () => done.abort() };
}

function hasEnded({ store }: Pick<Desk, "store">, runId: string): boolean {
  try {
    return isEnded(loadRun(store, runId).state);
  } catch {
    return false; // what cannot be read says nothing
  }
}
