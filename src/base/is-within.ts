import type { Clock } from "./clock.ts";

/** Whether this comes within so many milliseconds; it goes on in any case. Rejects where it does in time. */
export async function isWithin(event: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([event.then(() => true), clock.sleep(ms, over.signal).then(() => false)]);
  } finally {
    over.abort();
  }
}
