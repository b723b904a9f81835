/** A time limit is kept to a twentieth of it. */
const SHARE = 20;
const LEAST_MS = 5;

/** How long to rest between two looks at time limits; all in milliseconds. */
export function choosePause(shortestMs: number, mostMs: number): number {
  return Math.min(mostMs, Math.max(LEAST_MS, shortestMs / SHARE));
}
