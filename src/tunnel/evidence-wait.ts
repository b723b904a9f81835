import type { Clock } from "../base/clock.ts";

/** A wait that whatever comes first ends: after it nothing shows any more how a reply fared. */
export class EvidenceWait {
  readonly #clock: Clock;
  #over = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `onNothing` after so many milliseconds, unless it is stopped before. */
  async start(ms: number, onNothing: () => void) {
    this.stop();
    const over = new AbortController();
    this.#over = over;
    await this.#clock.sleep(ms, over.signal);
    if (!over.signal.aborted) onNothing();
  }

  /** Called at each observation: an abort would cost a stack trace. */
  stop() {
    if (!this.#over.signal.aborted) this.#over.abort();
  }
}
