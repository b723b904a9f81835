import type { Clock } from "../base/clock.ts";

/** Waits for the first of these, at most so many milliseconds. */
export async function waitAtMost(ms: number, clock: Clock, things: readonly Promise<unknown>[]) {
  const isOver = new AbortController();
  await Promise.race([...things, clock.sleep(ms, isOver.signal)]);
  isOver.abort();
}
