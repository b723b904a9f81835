import type { Clock } from "../../base/clock.ts";
import { SortieError } from "../../base/error.ts";
import type { ApiTimers } from "./api-timers.ts";
import type { Answer } from "./exchange.ts";

/** What may go well a little later: a reply of 500 and above, or none at all. */
export type Trouble = Answer | SortieError;

/** Refusals that some servers send as 500: asked again, they would be the same. */
const finalWords = /invalid job_id|failed to get case exec log/i;

/** A faults's detail, or a reply that says that the server is in trouble. */
export function isTrouble(outcome: unknown): outcome is Trouble {
  if (outcome instanceof SortieError) return outcome.code === "challenge_away";
  const { status, text } = Object(outcome) as Partial<Answer>;
  return typeof status === "number" && status >= 500 && !finalWords.test(text ?? "");
}

interface RetryOptions {
  readonly clock: Clock;
  readonly timers: ApiTimers;
  readonly signal?: AbortSignal;
  /** Called before the first retry. */
  readonly onFirstTrouble: (trouble: Trouble) => Promise<void>;
  /** Called before the first pause: from here on a person waits. */
  readonly onPause: (trouble: Trouble) => void;
}

/** Asks until there is an answer that is no trouble, or the time for retries is over: then the last outcome counts. */
export async function retryCalls(
  ask: () => Promise<Answer>,
  { clock, timers, signal, onFirstTrouble, onPause }: RetryOptions,
): Promise<Answer> {
  const endMs = clock.monotonicMs() + timers.retryTotalMs;
  let pauseMs = timers.retryFirstMs;
  for (let tries = 1; ; tries += 1) {
    const outcome = await ask().catch(catchTrouble);
    if (!isTrouble(outcome)) return outcome;
    if (tries === 1) await onFirstTrouble(outcome);
    if (clock.monotonicMs() + pauseMs > endMs) {
      if (outcome instanceof SortieError) throw outcome;
      return outcome;
    }
    if (tries === 1) onPause(outcome);
    await clock.sleep(pauseMs, signal);
    if (signal?.aborted) throw new SortieError("interrupted");
    pauseMs = Math.min(2 * pauseMs, timers.retryMostMs);
  }
}

function catchTrouble(thrown: unknown): Trouble {
  if (thrown instanceof SortieError && isTrouble(thrown)) return thrown;
  throw thrown;
}
