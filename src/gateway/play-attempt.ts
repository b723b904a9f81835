import type { Clock } from "../base/clock.ts";
import type { CaseEnd } from "./case-end.ts";
import type { JobParts } from "./job-parts.ts";
import { limitTime } from "./limit-time.ts";
import { playCase } from "./play-case.ts";
import type { Seat } from "./seat.ts";
import type { Session } from "./session.ts";
import type { CaseSpec } from "./simulator.ts";

interface Attempt {
  readonly session: Session;
  readonly spec: CaseSpec;
  readonly seat: Seat;
  readonly agentId: string;
}

/** Plays a case once on a seat, on tape where the job has one, and within its time. Never rejects. */
export async function playAttempt(
  { session, spec, seat, agentId }: Attempt,
  { journal, limits = {} }: JobParts,
  clock: Clock,
  signal: AbortSignal,
): Promise<Omit<CaseEnd, "agentId">> {
  const taped = journal?.record(spec, session, agentId);
  const timed = limitTime(session, taped?.policy ?? session, limits, clock);
  const end = await playCase({ simulator: seat.play, policy: timed.policy, session, spec, signal });
  timed.stop();
  taped?.close(end);
  return end;
}
