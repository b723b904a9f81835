import { describeNotice } from "../../notify/describe-notice.ts";
import type { EntryState } from "../../notify/outbox/outbox.ts";
import type { Desk } from "../desk.ts";
import { keepWatcher } from "../watcher.ts";
import { listNotices } from "./outbox-store.ts";

/** A notice on one channel, as it is shown. Times are ISO 8601 UTC. */
export interface ShownNotice {
  readonly channel: string;
  readonly subject: string;
  readonly kind: string;
  readonly phase: string;
  readonly title: string;
  readonly state: EntryState;
  /** Why it did not go out, or is not known to have; null: there is nothing to say. */
  readonly reason: string | null;
  readonly addedAt: string;
}

/** What was told and what is to be told, the newest first. */
export function loadSent(desk: Desk, limit: number): ShownNotice[] {
  keepWatcher(desk);
  return listNotices(desk.store, limit).map(({ channel, state, reason, addedAtMs, notice }) => ({
    ...{ channel, subject: notice.subject, kind: notice.kind, phase: notice.phase },
    ...{ title: describeNotice(notice).title, state, reason },
    addedAt: new Date(addedAtMs).toISOString(),
  }));
}
