import type { Clock } from "../../base/clock.ts";

/** So many in a row are taken for bad luck. */
const PATIENCE = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Of each board, simulators in a row that got a case and were gone before their first action. From the third on the next one
 * gets a case only after 1 s, then 2 s, 4 s … 30 s: one that crashes while it starts would else be served without end. An
 * action that is given ends it.
 */
export class CrashPauses {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #boards = new Map<string, { crashes: number; nextAtMs: number }>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  noteCrash(board: string): void {
    const crashes = (this.#boards.get(board)?.crashes ?? 0) + 1;
    this.#boards.set(board, { crashes, nextAtMs: this.#clock.monotonicMs() + findPauseMs(crashes) });
  }

  /** True where this ended a pause. */
  noteAction(board: string): boolean {
    const wasPaused = this.isPaused(board);
    this.#boards.delete(board);
    return wasPaused;
  }

  /** Whether seats of the board are given out one at a time. */
  isPaused(board: string): boolean {
    return (this.#boards.get(board)?.crashes ?? 0) >= PATIENCE;
  }

  /** Whether the next one may have a seat now; then the one after it has to wait as long again. */
  takeTurn(board: string): boolean {
    const found = this.#boards.get(board);
    if (found === undefined) return true;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < found.nextAtMs) return false;
    found.nextAtMs = nowMs + findPauseMs(found.crashes);
    return true;
  }
}

function findPauseMs(crashes: number): number {
  if (crashes < PATIENCE) return 0;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (crashes - PATIENCE));
}
