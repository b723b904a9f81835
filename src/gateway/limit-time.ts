import type { Clock } from "../base/clock.ts";
import type { Session } from "./session.ts";
import { makeReplyTimeout, makeTimeout } from "./session-loss.ts";
import type { Policy } from "./simulator.ts";
import { wrapPolicy } from "./wrap-policy.ts";

/** In milliseconds; undefined: for ever. */
export interface TimeLimits {
  /** Of a whole case. */
  readonly caseTimeoutMs?: number;
  /** Of one reply, over cuts and redials. */
  readonly replyTimeoutMs?: number;
}

export interface TimedPolicy {
  readonly policy: Policy;
  /** No limit holds any more. */
  stop(): void;
}

/** Ends a session whose case takes too long, or whose agent does not answer: a seat must not be held for nothing. */
export function limitTime(session: Session, policy: Policy, limits: TimeLimits, clock: Clock): TimedPolicy {
  const done = new AbortController();
  const { caseTimeoutMs, replyTimeoutMs } = limits;
  if (caseTimeoutMs !== undefined) {
    void clock.sleep(caseTimeoutMs, done.signal).then(() => {
      if (!done.signal.aborted) session.end(makeTimeout(session, caseTimeoutMs));
    });
  }
  return {
    policy:
      replyTimeoutMs === undefined ? policy : limitReplies(session, policy, replyTimeoutMs, clock, done),
    stop: () => done.abort(),
  };
}

function limitReplies(
  session: Session,
  policy: Policy,
  timeoutMs: number,
  clock: Clock,
  done: AbortController,
): Policy {
  return wrapPolicy(policy, {
    async infer(observation) {
      const answered = new AbortController();
      const stop = () => answered.abort();
      done.signal.addEventListener("abort", stop, { once: true });
      void clock.sleep(timeoutMs, answered.signal).then(() => {
        if (!answered.signal.aborted) session.end(makeReplyTimeout(session.sessionId, timeoutMs));
      });
      try {
        return await policy.infer(observation);
      } finally {
        stop();
        done.signal.removeEventListener("abort", stop);
      }
    },
  });
}
