import type { Clock } from "../base/clock.ts";

/** Waits for the first of these, but no longer than so many milliseconds. */
export async function waitAtMost(
  ms: number,
  clock: Clock,
  things: readonly (Promise<unknown> | undefined)[],
) {
  const isOver = new AbortController();
  const waited = things.filter((thing) => thing !== undefined);
  await Promise.race([...waited, clock.sleep(ms, isOver.signal)]);
  isOver.abort();
}
