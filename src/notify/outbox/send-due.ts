import type { Clock } from "../../base/clock.ts";
import { describeFault } from "../../base/error.ts";
import type { Digest, Notice } from "../notice.ts";
import type { Notifier, SendOutcome } from "../notifier.ts";
import { findPause, pauseChannel, resumeChannel } from "./back-off.ts";
import { type EntryChange, legalMoves, type Outbox, type OutboxEntry } from "./outbox.ts";
import { reserveSend } from "./pace.ts";
import { planBatches } from "./plan-batches.ts";
import { sendBounded } from "./send-bounded.ts";

/** No message is begun after this time; what is under way then ends within 12 s more. */
const PASS_MS = 10_000;
/** A claimant that has said nothing for so long is dead. */
const ABANDONED_MS = 60_000;
/** News of yesterday is none. */
const MOST_AGE_MS = 24 * 60 * 60_000;

export interface SendReport {
  readonly sent: number;
  /** What did not go out in this pass, or is not known to have; a `waiting` one is tried again. */
  readonly failures: readonly SendFailure[];
  /** When there is something to be done again; null: nothing is left. */
  readonly nextAtMs: number | null;
  /** The outbox itself could not be used. */
  readonly fault: string | null;
}

export interface SendFailure {
  readonly key: string;
  readonly state: "waiting" | "failed" | "unsure";
  readonly reason: string;
}

interface Pass {
  readonly outbox: Outbox;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  sent: number;
  readonly failures: SendFailure[];
}

/**
 * Sends what is due on one channel, as far as its pace and 22 s allow, and puts down how it went. It never throws. Run it
 * beside other work; several at once, in several processes too, send nothing twice.
 */
export async function sendDue(
  outbox: Outbox,
  notifier: Notifier,
  clock: Clock,
  signal: AbortSignal,
): Promise<SendReport> {
  const pass: Pass = { outbox, notifier, clock, signal, sent: 0, failures: [] };
  try {
    const nextAtMs = await runPass(pass);
    return { sent: pass.sent, failures: pass.failures, nextAtMs, fault: null };
  } catch (thrown) {
    const nextAtMs = clock.now().getTime() + PASS_MS;
    return { sent: pass.sent, failures: pass.failures, nextAtMs, fault: describeFault(thrown) };
  }
}

async function runPass(pass: Pass): Promise<number | null> {
  const { outbox, notifier, clock, signal } = pass;
  const endMs = clock.monotonicMs() + PASS_MS;
  settleOld(pass);
  const { batches } = planBatches(outbox.listOpen(notifier.channel), clock.now().getTime());
  for (const batch of batches) {
    const leftMs = endMs - clock.monotonicMs();
    if (signal.aborted || leftMs <= 0 || findChannelPause(pass) !== null) break;
    const waitMs = reserveSlot(pass, leftMs);
    if (waitMs > leftMs) return clock.now().getTime() + waitMs;
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    if (signal.aborted) break;
    await sendBatch(pass, batch);
  }
  return findNext(pass);
}

/** What a dead claimant left may have gone out; what has waited for a day is not news any more. */
function settleOld(pass: Pass): void {
  const nowMs = pass.clock.now().getTime();
  for (const entry of pass.outbox.listOpen(pass.notifier.channel)) {
    const { state, claimedAtMs, addedAtMs } = entry;
    if (state === "claimed" && Math.abs(nowMs - (claimedAtMs ?? 0)) > ABANDONED_MS) {
      settle(pass, entry, "unsure", "who was sending it ended before the answer came");
    }
    if (state === "waiting" && nowMs - addedAtMs > MOST_AGE_MS) {
      settle(pass, entry, "failed", `it waited for a day: ${entry.reason ?? "nobody sent it"}`);
    }
  }
}

function findChannelPause({ outbox, notifier, clock }: Pass): number | null {
  const state = outbox.changeChannel(notifier.channel, (now) => now);
  return findPause(state, clock.now().getTime());
}

/** How long to wait for the channel's next use; it is put down as used where that is at most `mostMs`. */
function reserveSlot({ outbox, notifier: { channel, limits }, clock }: Pass, mostMs: number): number {
  const nowMs = clock.now().getTime();
  let waitMs = 0;
  outbox.changeChannel(channel, (before) => {
    const { atMs, state } = reserveSend(before, { nowMs, limits });
    waitMs = atMs - nowMs;
    return waitMs > mostMs ? before : state;
  });
  return waitMs;
}

async function sendBatch(pass: Pass, batch: readonly OutboxEntry[]): Promise<void> {
  const { outbox, notifier, clock } = pass;
  const claimed = batch.filter(({ channel, key }) => outbox.claim(channel, key, clock.now().getTime()));
  const notices = claimed.map(({ notice }) => notice);
  const [first] = notices;
  if (first === undefined) return; // others were faster
  const message: Notice | Digest = notices.length === 1 ? first : { kind: "digest", notices };
  const outcome = await sendBounded(notifier, message, pass);
  const reason = outcome.state === "sent" ? null : outcome.reason;
  // The entries first: what was answered must not be left claimed by a crash in between.
  for (const entry of claimed) settle(pass, entry, endStates[outcome.state], reason);
  rememberChannel(pass, outcome);
}

const endStates = { sent: "sent", busy: "waiting", refused: "failed", unsure: "unsure" } as const;

/** Moves as the table allows; somebody may have been faster, who took us for dead. */
function settle(pass: Pass, entry: OutboxEntry, to: EntryChange["to"], reason: string | null): void {
  const { channel, key } = entry;
  if (!pass.outbox.move(channel, key, { from: legalMoves[to], to, reason })) return;
  if (to === "sent") pass.sent += 1;
  else pass.failures.push({ key, state: to, reason: reason ?? "" });
}

/** A channel in trouble is left alone, also by others: a server that hangs costs one try, not one for each notice. */
function rememberChannel({ outbox, notifier: { channel }, clock }: Pass, outcome: SendOutcome): void {
  const isWell = outcome.state === "sent" || outcome.state === "refused";
  const askedMs = outcome.state === "busy" ? outcome.retryAfterMs : 0;
  outbox.changeChannel(channel, (state) =>
    isWell ? resumeChannel(state) : pauseChannel(state, clock.now().getTime(), askedMs),
  );
}

/** When to look again: what is due, or will be, or is in the hands of somebody who may be dead. */
function findNext(pass: Pass): number | null {
  const nowMs = pass.clock.now().getTime();
  const open = pass.outbox.listOpen(pass.notifier.channel);
  const { batches, nextAtMs } = planBatches(open, nowMs);
  const dueMs = batches.length > 0 ? nowMs : nextAtMs;
  const times = [
    ...(dueMs === null ? [] : [Math.max(dueMs, findChannelPause(pass) ?? 0)]),
    ...(open.some(({ state }) => state === "claimed") ? [nowMs + ABANDONED_MS] : []),
  ];
  return times.length === 0 ? null : Math.min(...times);
}
