import type { Clock } from "../base/clock.ts";
import type { Session } from "./session.ts";
import { makeTimeout } from "./session-loss.ts";

/** Ends a session that takes longer than a case may, unless what is returned aborts before. */
export function limitTime(session: Session, timeoutMs: number | undefined, clock: Clock): AbortController {
  const done = new AbortController();
  if (timeoutMs === undefined) return done;
  void clock.sleep(timeoutMs, done.signal).then(() => {
    if (!done.signal.aborted) session.end(makeTimeout(session.sessionId, timeoutMs));
  });
  return done;
}
