import type { Store } from "../../store/store.ts";

const MIB = 1024 * 1024;

/** A reply that is larger is not kept, and so much of a session is: an agent may not fill the organiser's disk. */
export const MOST_REPLY_BYTES = MIB;
export const MOST_SESSION_BYTES = 64 * MIB;

/**
 * Counts a reply of an open session, the number-th, and keeps it; `payload` undefined: counting is enough. A session of which
 * too much would be kept is one that cannot go on after a restart.
 */
export function keepReply(
  records: Store,
  sessionId: string,
  { number, payload }: { readonly number: number; readonly payload: Uint8Array | undefined },
): void {
  const bytes = payload?.length ?? 0;
  records.together(() => {
    const [open] = records.list(
      `UPDATE attempts SET replies = ?, reply_bytes = reply_bytes + ? WHERE session_id = ? AND resumable = 1
       RETURNING reply_bytes`,
      ...[number, bytes, sessionId],
    );
    if (open === undefined || payload === undefined) return;
    if (bytes > MOST_REPLY_BYTES || (open["reply_bytes"] as number) > MOST_SESSION_BYTES) {
      giveUpReplies(records, sessionId);
    } else {
      records.change("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", sessionId, number, payload);
    }
  });
}

/** Marks a session as one that cannot go on after a restart, and forgets its replies. */
export function giveUpReplies(records: Store, sessionId: string): void {
  records.together(() => {
    records.change("UPDATE attempts SET resumable = 0 WHERE session_id = ?", sessionId);
    records.change("DELETE FROM replies WHERE session_id = ?", sessionId);
  });
}

/** The replies of a session in their order, from which a simulator is brought back to where it was. */
export function listReplies(records: Store, sessionId: string): Buffer[] {
  return records
    .list("SELECT payload FROM replies WHERE session_id = ? ORDER BY number", sessionId)
    .map((row) => Buffer.from(row["payload"] as Uint8Array));
}
