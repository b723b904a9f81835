import type {
  ChannelState,
  EntryChange,
  NewEntry,
  Outbox,
  OutboxEntry,
} from "../../src/notify/outbox/outbox.ts";
import { freshChannel } from "../../src/notify/outbox/outbox.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Row, Store } from "../../src/store/store.ts";

const TABLES = `
  CREATE TABLE notices (
    id INTEGER PRIMARY KEY,
    channel TEXT NOT NULL,
    key TEXT NOT NULL,
    state TEXT NOT NULL,
    added_at_ms INTEGER NOT NULL,
    due_at_ms INTEGER NOT NULL,
    claimed_at_ms INTEGER,
    reason TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX notices_key ON notices (channel, key);
  CREATE INDEX notices_open ON notices (channel, id) WHERE state IN ('waiting', 'claimed');
  CREATE TABLE notice_channels (channel TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
`;

/** An outbox in a database file: each that opens it is as good as another process. */
export function openOutbox(path: string) {
  const store = openStore(path, { migrations: [TABLES] });
  const listAll = () => store.list("SELECT * FROM notices ORDER BY id").map(readEntry);
  return { outbox: makeOutbox(store), listAll, close: () => store.close() };
}

function makeOutbox(store: Store): Outbox {
  return {
    add: ({ channel, key, notice, addedAtMs, dueAtMs }: NewEntry) =>
      store.change(
        "INSERT INTO notices (channel, key, state, added_at_ms, due_at_ms, body) VALUES (?, ?, 'waiting', ?, ?, ?) ON CONFLICT DO NOTHING",
        ...[channel, key, addedAtMs, dueAtMs, JSON.stringify(notice)],
      ) === 1,
    listOpen: (channel) =>
      store
        .list(
          "SELECT * FROM notices WHERE channel = ? AND state IN ('waiting', 'claimed') ORDER BY id LIMIT 500",
          channel,
        )
        .map(readEntry),
    claim: (channel, key, atMs) =>
      store.change(
        "UPDATE notices SET state = 'claimed', claimed_at_ms = ? WHERE channel = ? AND key = ? AND state = 'waiting'",
        ...[atMs, channel, key],
      ) === 1,
    move: (channel, key, { from, to, reason }: EntryChange) =>
      store.change(
        `UPDATE notices SET state = ?, reason = ? WHERE channel = ? AND key = ? AND state IN (${from.map(() => "?").join(", ")})`,
        ...[to, reason, channel, key, ...from],
      ) === 1,
    changeChannel: (channel, change) =>
      store.together(() => {
        const row = store.find("SELECT body FROM notice_channels WHERE channel = ?", channel);
        const before: ChannelState = row ? JSON.parse(String(row["body"])) : freshChannel;
        const after = change(before);
        if (after !== before) {
          store.change(
            "INSERT OR REPLACE INTO notice_channels VALUES (?, ?)",
            channel,
            JSON.stringify(after),
          );
        }
        return after;
      }),
  };
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
