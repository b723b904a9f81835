import type { Clock } from "../base/clock.ts";
import type { Session } from "./session.ts";
import { waitAtMost } from "./wait-at-most.ts";

interface SettleLimits {
  readonly clock: Clock;
  /** Without a link nothing is waited for. */
  readonly linkEnd: Promise<unknown>;
  /** For everything, and within it for the proof that the last reply arrived. */
  readonly totalMs: number;
  readonly proofMs: number;
}

/** Waits until what is in flight is answered and the answer known to have arrived, as long as that may take. */
export async function settleSession(session: Session | undefined, limits: SettleLimits) {
  if (session === undefined) return;
  const { clock, linkEnd, totalMs, proofMs } = limits;
  const endsMs = clock.monotonicMs() + totalMs;
  await waitAtMost(totalMs, clock, [session.waitUntilAnswered(), linkEnd]);
  const leftMs = Math.max(0, endsMs - clock.monotonicMs());
  await waitAtMost(Math.min(proofMs, leftMs), clock, [session.waitUntilProven(), linkEnd]);
}
