import type { Clock } from "../base/clock.ts";

type Waited = readonly (Promise<unknown> | undefined)[];

/** Waits for the first of these, at most so many milliseconds; not at all where one is undefined: it is over. */
export async function waitAtMost(ms: number, clock: Clock, things: Waited) {
  const isOver = new AbortController();
  await Promise.race([...things, clock.sleep(ms, isOver.signal)]);
  isOver.abort();
}
