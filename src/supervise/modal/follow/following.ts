import type { Clock } from "../../../base/clock.ts";
import type { Runner } from "../../../process/runner.ts";
import type { ModalProgram } from "../../../targets/modal/ask-modal.ts";
import type { FollowOrder } from "./follow-order.ts";
import type { ModalEnd } from "./modal-end.ts";
import type { OutputMemory } from "./output-memory.ts";

/** What a follower is given by whoever starts it. */
export interface FollowMeans {
  readonly runner: Runner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where the app's output goes as it comes. */
  readonly print: (text: string | Uint8Array) => void;
  /** Aborts when the run is to be stopped. */
  readonly stop: AbortSignal;
  /** Keeps how it ended, before this does. */
  readonly keepEnd: (end: ModalEnd) => void;
}

/** A follower at work. */
export interface Following extends FollowMeans {
  readonly order: FollowOrder;
  readonly modal: ModalProgram;
  readonly output: OutputMemory;
  say(line: string): void;
}
