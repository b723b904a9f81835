import type { Store } from "../../store/store.ts";

/** Whoever claimed a notice and has said nothing for so long is dead. */
const ABANDONED_MS = 60_000;
const KEEP_MS = 30 * 24 * 3600 * 1000;

/** When the outbox next wants somebody to look at it, by the wall clock; null: nothing is in it. */
export function findNextNoticeMs(store: Store): number | null {
  const row = store.find(
    `SELECT MIN(CASE n.state
       WHEN 'claimed' THEN n.claimed_at_ms + ?
       ELSE MAX(n.due_at_ms, COALESCE(json_extract(c.body, '$.pausedUntilMs'), 0)) END) AS next
     FROM notices n LEFT JOIN notice_channels c ON c.channel = n.channel
     WHERE n.state IN ('waiting', 'claimed')`,
    ABANDONED_MS,
  );
  const next = row?.["next"] ?? null;
  return next === null ? null : Number(next);
}

/** Whether a notice of this subject and key was put in for any channel. */
export function hasNotice(store: Store, subject: string, key: string): boolean {
  return store.find("SELECT 1 FROM notices WHERE subject = ? AND key = ?", subject, key) !== undefined;
}

/** Forgets what was told of a run that is forgotten itself. */
export function removeNotices(store: Store, subject: string): void {
  store.change("DELETE FROM notices WHERE subject = ?", subject);
}

/** Forgets what was settled a month ago. */
export function sweepNotices(store: Store, now: Date): void {
  const isOld = "state NOT IN ('waiting', 'claimed') AND added_at_ms < ?";
  const beforeMs = now.getTime() - KEEP_MS;
  // Looked first: a change makes other processes wait.
  if (store.find(`SELECT 1 FROM notices WHERE ${isOld}`, beforeMs) === undefined) return;
  store.change(`DELETE FROM notices WHERE ${isOld}`, beforeMs);
}
