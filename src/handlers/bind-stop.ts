/** Calls `stop` once when the signal aborts, also where it has aborted already; the function that is given back undoes it. */
export function bindStop(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return () => signal?.removeEventListener("abort", stop);
}
