import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../base/clock.ts";

/** A wait that whatever comes first ends: after it nothing shows any more how a reply fared. */
export class EvidenceWait {
  readonly #clock: Clock;
  #over = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Calls `onNothing` after so many milliseconds in which nothing at all was read, unless it is stopped before. Time in
   * which this process stood still counts for nothing: what came meanwhile is read first.
   */
  async start(ms: number, line: { readonly bytesRead: number }, onNothing: () => void) {
    this.stop();
    const over = new AbortController();
    this.#over = over;
    await nextTurn();
    while (!over.signal.aborted) {
      const before = line.bytesRead;
      const startedMs = this.#clock.monotonicMs();
      await this.#clock.sleep(ms, over.signal);
      await nextTurn();
      const stoodStill = this.#clock.monotonicMs() - startedMs > 1.5 * ms;
      if (stoodStill || line.bytesRead !== before) continue;
      if (!over.signal.aborted) onNothing();
      return;
    }
  }

  /** Called at each observation: an abort would cost a stack trace. */
  stop() {
    if (!this.#over.signal.aborted) this.#over.abort();
  }
}
