import type { Notice } from "../notice.ts";

/**
 * Where notices wait until they have gone out, in a table that outlives every process:
 *
 *     waiting ──claim──▸ claimed ──▸ sent | failed | unsure
 *        ▲                  │
 *        └──── busy ────────┘            (unsure ──▸ sent, when the answer comes late)
 *
 * A unique index over (channel, key) lets each notice in once, and of several processes that claim it one gets it. It is
 * claimed before it is sent. Where the answer was lost, or the claimant died, it is `unsure` and never sent again: a notice
 * that does not come is better than one that comes at each restart.
 */
export interface Outbox {
  /** Puts a notice in, waiting; false: one of this channel and key is there already, in whatever state. */
  add(entry: NewEntry): boolean;
  /** What is waiting or claimed, the oldest first; at most 500. */
  listOpen(channel: string): readonly OutboxEntry[];
  /** From waiting to claimed; false: it is not waiting any more. One statement. */
  claim(channel: string, key: string, atMs: number): boolean;
  /** To another state, where it is in one of `from` now; false: it is not. One statement. */
  move(channel: string, key: string, change: EntryChange): boolean;
  /** Changes what is known of a channel, in one transaction that holds off other writers, and returns it. */
  changeChannel(channel: string, change: (state: ChannelState) => ChannelState): ChannelState;
}

export type EntryState = "waiting" | "claimed" | "sent" | "failed" | "unsure";

/** From which states each may be come to. */
export const legalMoves: Readonly<Record<Exclude<EntryState, "claimed">, readonly EntryState[]>> = {
  waiting: ["claimed"],
  sent: ["claimed", "unsure"],
  failed: ["claimed", "waiting"],
  unsure: ["claimed"],
};

export interface NewEntry {
  readonly channel: string;
  readonly key: string;
  /** Without secrets: it is kept on disk. */
  readonly notice: Notice;
  readonly addedAtMs: number;
  readonly dueAtMs: number;
}

export interface OutboxEntry extends NewEntry {
  readonly state: EntryState;
  readonly claimedAtMs: number | null;
  /** Why it did not go out, or is not known to have; for people. */
  readonly reason: string | null;
}

export interface EntryChange {
  readonly from: readonly EntryState[];
  readonly to: keyof typeof legalMoves;
  readonly reason: string | null;
}

/** What all processes know of a channel. */
export interface ChannelState {
  /** Tries in a row that found it in trouble. */
  readonly faults: number;
  /** Nobody uses it before. */
  readonly pausedUntilMs: number;
  /** When it was used, or will be, in the last minute. */
  readonly sendsMs: readonly number[];
}

/** For a channel that nothing is known of. */
export const freshChannel: ChannelState = { faults: 0, pausedUntilMs: 0, sendsMs: [] };
