import { SortieError } from "../../base/error.ts";
import { makeUnsentFault, type Notifier } from "../../notify/notifier.ts";
import { legalMoves } from "../../notify/outbox/outbox.ts";
import { type SendFailure, type SendReport, sendDue } from "../../notify/outbox/send-due.ts";
import { appendEvent } from "../../runs/events.ts";
import type { Desk } from "../desk.ts";
import type { TellFault } from "../watcher-log.ts";
import { listOpenChannels, makeOutbox } from "./outbox-store.ts";

/** Settings that are being written right now can be read again soon. */
const UNSET_MS = 10 * 60_000;

/**
 * Sends what is due on every channel at the same time, and says of what did not go out in the watcher's log and among the
 * run's events. A channel that hangs holds up no other, and nothing else.
 */
export async function sendNews(
  desk: Desk,
  notifiers: readonly Notifier[],
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: TellFault },
): Promise<void> {
  const outbox = makeOutbox(desk.store);
  const send = async (notifier: Notifier) => {
    const report = await sendDue(outbox, notifier, desk.clock, signal);
    tellFailures(desk, notifier.channel, report, tell);
  };
  await Promise.all(notifiers.map(send));
}

/** What waits for a channel that is not set any more is put aside. `isKnown`: the settings could be read. */
export function dropUnset(
  desk: Desk,
  channels: readonly string[],
  { isKnown }: { readonly isKnown: boolean },
): void {
  const outbox = makeOutbox(desk.store);
  const nowMs = desk.clock.now().getTime();
  for (const channel of listOpenChannels(desk.store).filter((one) => !channels.includes(one))) {
    for (const { key, addedAtMs } of outbox.listOpen(channel)) {
      if (!isKnown && nowMs - addedAtMs < UNSET_MS) continue;
      const reason = isKnown ? `${channel} is not set any more` : "the settings cannot be read";
      outbox.move(channel, key, { from: legalMoves.failed, to: "failed", reason });
    }
  }
}

function tellFailures(desk: Desk, channel: string, { failures, fault }: SendReport, tell: TellFault): void {
  if (fault !== null)
    tell(`notices ${channel}`, new SortieError("notify_not_sent", { channel, reason: fault }));
  const states = { waiting: "busy", failed: "refused", unsure: "unsure" } as const;
  for (const { key, state, reason } of failures) {
    const named = `${channel} (${key})`;
    tell(`notices ${named}`, makeUnsentFault(named, { state: states[state], reason }));
    keepEvent(desk, { key, channel, state, reason });
  }
}

/** Only runs have events. */
function keepEvent({ store, clock }: Desk, failure: SendFailure & { readonly channel: string }): void {
  const subject = failure.key.slice(0, failure.key.indexOf("/"));
  if (store.find("SELECT 1 FROM runs WHERE id = ?", subject) === undefined) return;
  appendEvent(store, subject, "notice_unsent", failure, clock.now());
}
