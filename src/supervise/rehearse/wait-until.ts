import { systemClock } from "../../base/clock.ts";

const LOOK_EVERY_MS = 10;

/** Asks again until it is so, the time is over or the signal aborts; whether it is so. */
export async function waitUntil(
  isSo: () => boolean,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = systemClock.monotonicMs() + timeoutMs;
  while (!isSo()) {
    if (signal.aborted || systemClock.monotonicMs() >= deadline) return false;
    await systemClock.sleep(LOOK_EVERY_MS, signal);
  }
  return true;
}
