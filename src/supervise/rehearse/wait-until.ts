import type { Clock } from "../../base/clock.ts";

const LOOK_EVERY_MS = 10;

/** Asks again until it is so, the time is over or the signal aborts; whether it is so. */
export async function waitUntil(
  clock: Clock,
  isSo: () => boolean,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<boolean> {
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  while (!isSo()) {
    if (signal?.aborted || clock.monotonicMs() >= deadlineMs) return false;
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  return true;
}
