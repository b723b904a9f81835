import { describeFault, SortieError } from "../../base/error.ts";

/**
 * Writes what happened into the database, in order. While that cannot be (a full disk), what happened waits here: cases go
 * on, and what they ended with is written once there is room again.
 */
export class Ledger {
  readonly #onFault: (why: string) => void;
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(onFault: (why: string) => void) {
    this.#onFault = onFault;
  }

  /** How many changes are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes no more changes. */
  close(): void {
    this.#isClosed = true;
  }

  write(change: () => void): void {
    if (this.#isClosed) return;
    this.#waiting.push(change);
    if (this.#waiting.length === 1) this.flush();
  }

  /** Tries what waits again. */
  flush(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      try {
        next();
      } catch (fault) {
        this.#onFault(describeFault(fault));
        // A database that takes nothing now may later; what it refuses for good would hold up all the rest.
        if (fault instanceof SortieError) return;
      }
      this.#waiting.shift();
    }
  }
}
