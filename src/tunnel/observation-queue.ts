/** Observations that may wait for the handler; a gateway asks one at a time. */
const MOST = 64;
/** One is taken whatever its size. */
const MOST_BYTES = 256 * 1024 * 1024;

interface Waiting {
  readonly observation: Uint8Array;
  readonly cameMs: number;
}

/** The observations of one session that wait for the handler, so many and so large as a mistaken gateway may make them wait. */
export class ObservationQueue {
  readonly #waiting: Waiting[] = [];
  #bytes = 0;

  /** False where it is full: the observation is not kept. */
  add(waiting: Waiting): boolean {
    const bytes = this.#bytes + waiting.observation.length;
    const isFull = this.#waiting.length >= MOST || (bytes > MOST_BYTES && this.#waiting.length > 0);
    if (isFull) return false;
    this.#waiting.push(waiting);
    this.#bytes = bytes;
    return true;
  }

  /** The oldest one, which waits no more. */
  take(): Waiting | undefined {
    const oldest = this.#waiting.shift();
    this.#bytes -= oldest?.observation.length ?? 0;
    return oldest;
  }

  clear() {
    this.#waiting.length = 0;
    this.#bytes = 0;
  }
}
