/** What one timer can hold; a longer time would overflow to a single millisecond. */
const LONGEST_MS = 2 ** 31 - 1;

/** A timer for times of any length, also of more than the 24.8 days that one timer can hold. */
export function setLongTimeout(callback: () => void, ms: number): { clear(): void } {
  let leftMs = ms;
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    const sliceMs = Math.min(leftMs, LONGEST_MS);
    leftMs -= sliceMs;
    timer = setTimeout(leftMs > 0 ? wait : callback, sliceMs);
  };
  wait();
  return { clear: () => clearTimeout(timer) };
}
