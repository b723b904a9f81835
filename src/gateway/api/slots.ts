import type { Clock } from "../../base/clock.ts";

const WAIT_MS = 20_000;
const MOST_WAITING = 100;

/** Lets a few do at a time what is dear; others wait for their turn, in order, for 20 s at most. */
export class Slots {
  readonly #clock: Pick<Clock, "sleep">;
  /** Those whose turn comes, the first one first. */
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number, clock: Pick<Clock, "sleep">) {
    this.#free = count;
    this.#clock = clock;
  }

  /** Whether a slot was had, which is then to be given back. False: none came free in time, or the signal aborted. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free === 0) return this.#waiting.size < MOST_WAITING && this.#wait(signal);
    this.#free -= 1;
    return true;
  }

  giveBack(): void {
    const [serve] = this.#waiting;
    if (serve === undefined) this.#free += 1;
    else serve();
  }

  #wait(signal: AbortSignal): Promise<boolean> {
    const settled = new AbortController();
    return new Promise((resolve) => {
      const settle = (isServed: boolean) => {
        this.#waiting.delete(serve);
        signal.removeEventListener("abort", leave);
        settled.abort();
        resolve(isServed);
      };
      const serve = () => settle(true);
      const leave = () => settle(false);
      this.#waiting.add(serve);
      signal.addEventListener("abort", leave);
      void this.#clock.sleep(WAIT_MS, settled.signal).then(leave);
    });
  }
}
