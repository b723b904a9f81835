import {
  type ChannelState,
  freshChannel,
  type Outbox,
  type OutboxEntry,
} from "../../notify/outbox/outbox.ts";
import type { Row, Store } from "../../store/store.ts";

const MOST_OPEN = 500;

/** The outbox in the database: each process that opens it is as good as any other. */
export function makeOutbox(store: Store): Outbox {
  return {
    add: ({ channel, key, notice, addedAtMs, dueAtMs }) =>
      store.change(
        `INSERT INTO notices (channel, key, subject, state, added_at_ms, due_at_ms, body)
         VALUES (?, ?, ?, 'waiting', ?, ?, ?) ON CONFLICT DO NOTHING`,
        ...[channel, key, notice.subject, addedAtMs, dueAtMs, JSON.stringify(notice)],
      ) === 1,
    listOpen: (channel) =>
      store
        .list(
          `SELECT * FROM notices WHERE channel = ? AND state IN ('waiting', 'claimed') ORDER BY id LIMIT ${MOST_OPEN}`,
          channel,
        )
        .map(readEntry),
    claim: (channel, key, atMs) =>
      store.change(
        "UPDATE notices SET state = 'claimed', claimed_at_ms = ? WHERE channel = ? AND key = ? AND state = 'waiting'",
        ...[atMs, channel, key],
      ) === 1,
    move: (channel, key, { from, to, reason }) =>
      store.change(
        `UPDATE notices SET state = ?, reason = ? WHERE channel = ? AND key = ? AND state IN (${from.map(() => "?").join(", ")})`,
        ...[to, reason, channel, key, ...from],
      ) === 1,
    changeChannel: (channel, change) => store.together(() => changeChannel(store, channel, change)),
  };
}

function changeChannel(
  store: Store,
  channel: string,
  change: (state: ChannelState) => ChannelState,
): ChannelState {
  const row = store.find("SELECT body FROM notice_channels WHERE channel = ?", channel);
  const before: ChannelState = row ? JSON.parse(String(row["body"])) : freshChannel;
  const after = change(before);
  if (after !== before) {
    store.change("INSERT OR REPLACE INTO notice_channels VALUES (?, ?)", channel, JSON.stringify(after));
  }
  return after;
}

/** What is in the outbox or went through it, the newest first. */
export function listNotices(store: Store, limit: number): OutboxEntry[] {
  return store.list("SELECT * FROM notices ORDER BY id DESC LIMIT ?", limit).map(readEntry);
}

/** The channels that something waits for. */
export function listOpenChannels(store: Store): string[] {
  return store
    .list("SELECT DISTINCT channel FROM notices WHERE state IN ('waiting', 'claimed')")
    .map((row) => String(row["channel"]));
}

function readEntry(row: Row): OutboxEntry {
  return {
    ...{ channel: String(row["channel"]), key: String(row["key"]) },
    state: row["state"] as OutboxEntry["state"],
    ...{ addedAtMs: Number(row["added_at_ms"]), dueAtMs: Number(row["due_at_ms"]) },
    claimedAtMs: row["claimed_at_ms"] === null ? null : Number(row["claimed_at_ms"]),
    reason: row["reason"] === null ? null : String(row["reason"]),
    notice: JSON.parse(String(row["body"])),
  };
}
