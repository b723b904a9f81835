import type { Clock } from "../../base/clock.ts";
import { showUrl } from "../../base/show-url.ts";

/** Less is the way of the reply, or of a clock that nobody set for a while. */
const NOTABLE_MS = 120_000;

/** Compares the clock of this machine with the server's, by which its tokens end. */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #baseUrl: string;
  readonly #note: (text: string) => void;
  #aheadMs = 0;

  constructor(clock: Clock, baseUrl: string, note: (text: string) => void) {
    [this.#clock, this.#baseUrl, this.#note] = [clock, baseUrl, note];
  }

  /** What the server's clock shows now, as far as its last reply told. */
  get serverNowMs(): number {
    return this.#clock.now().getTime() - this.#aheadMs;
  }

  look(date: Date | null): void {
    if (date === null) return;
    this.#aheadMs = this.#clock.now().getTime() - date.getTime();
    const minutes = Math.round(Math.abs(this.#aheadMs) / 60_000);
    if (Math.abs(this.#aheadMs) < NOTABLE_MS) return;
    const side = this.#aheadMs > 0 ? "ahead of" : "behind";
    this.#note(
      `the clock of this machine is ${minutes} min ${side} that of ${showUrl(this.#baseUrl)}: times may look odd`,
    );
  }
}
