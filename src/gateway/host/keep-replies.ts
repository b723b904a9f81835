import type { JobJournal } from "../job-journal.ts";
import { giveUpReplies, keepReply, MOST_REPLY_BYTES } from "../records/replies.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";

export interface ReplyKeeper {
  readonly keep: JobJournal["keepReply"];
  /** A session has ended. */
  forget(sessionId: string): void;
}

/**
 * Keeps the replies of the sessions of a job, so that they go on after a restart. Of one that is played outside their number
 * is enough. While the database takes nothing a session is given up instead: its replies would pile up in memory.
 */
export function makeReplyKeeper(
  { records, ledger }: Pick<ChallengeDesk, "records" | "ledger">,
  isOutside: boolean,
): ReplyKeeper {
  const givenUp = new Set<string>();
  return {
    keep(sessionId, number, payload) {
      if (givenUp.has(sessionId)) return;
      if (ledger.waiting > 0 || (!isOutside && payload.length > MOST_REPLY_BYTES)) {
        givenUp.add(sessionId);
        ledger.write(() => giveUpReplies(records, sessionId));
      } else {
        const kept = isOutside ? undefined : Buffer.from(payload);
        ledger.write(() => keepReply(records, sessionId, { number, payload: kept }));
      }
    },
    forget: (sessionId) => void givenUp.delete(sessionId),
  };
}
