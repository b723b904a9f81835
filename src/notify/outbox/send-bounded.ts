import type { Clock } from "../../base/clock.ts";
import { describeFault } from "../../base/error.ts";
import type { Digest, Notice } from "../notice.ts";
import type { Notifier, SendOutcome } from "../notifier.ts";

/** A notifier ends within ten seconds by itself. */
const MOST_MS = 12_000;
/** What is on its way when we are asked to leave may take this long to be answered. */
const LEAVE_MS = 2_000;
/** What is cut off tells whether it was sent at all. */
const TELL_MS = 500;

/** Sends one message and ends in time whatever the notifier does; it never throws. */
export async function sendBounded(
  notifier: Notifier,
  notice: Notice | Digest,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<SendOutcome> {
  const cut = new AbortController();
  const done = new AbortController();
  const late = clock.sleep(MOST_MS, done.signal);
  const left = waitForAbort(signal, done.signal).then(() => clock.sleep(LEAVE_MS, done.signal));
  const over = Promise.race([late, left]).then(async (): Promise<SendOutcome> => {
    cut.abort();
    await clock.sleep(TELL_MS, done.signal);
    return { state: "unsure", reason: "there was no answer in time" };
  });
  try {
    return await Promise.race([notifier.send(notice, cut.signal), over]);
  } catch (fault) {
    return { state: "unsure", reason: describeFault(fault) };
  } finally {
    done.abort();
  }
}

/** Resolves when either aborts. */
function waitForAbort(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      for (const signal of signals) signal.removeEventListener("abort", finish);
      resolve();
    };
    if (signals.some((signal) => signal.aborted)) return resolve();
    for (const signal of signals) signal.addEventListener("abort", finish);
  });
}
