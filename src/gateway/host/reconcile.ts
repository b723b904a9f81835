import type { RestoredCase } from "../job-parts.ts";
import { type AttemptRow, endAttempt, listOpenAttempts, listReplies } from "../records/attempts.ts";
import { markCase } from "../records/cases.ts";
import { listLiveJobs } from "../records/jobs.ts";
import { readSetting } from "../records/settings.ts";
import { STARTUP_RECONCILE } from "../session-loss.ts";
import type { CaseSpec } from "../simulator.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";
import { ALIVE_AT } from "./keep-time.ts";

/**
 * Takes up what an earlier gateway left: every job that has not ended. Its sessions go on where it was gone for no longer
 * than an agent may be; else they are over, by reason 9 of the documents, and their cases begin again.
 */
export function reconcile(desk: ChallengeDesk, jobs: ChallengeJobs): void {
  const { records, config, clock } = desk;
  const open = listOpenAttempts(records);
  const isAwaited = findDowntimeMs(desk) < config.timers.windowMs;
  if (!isAwaited) {
    records.together(() => {
      for (const { sessionId, caseId } of open) {
        endAttempt(records, sessionId, { reason: "tunnel_lost", detail: STARTUP_RECONCILE }, clock.now());
        markCase(records, caseId, "waiting");
      }
    });
  }
  for (const { id } of listLiveJobs(records)) {
    const own = isAwaited ? open.filter(({ jobId }) => jobId === id) : [];
    jobs.open(id, (specs) => own.flatMap((attempt) => findRestored(desk, attempt, specs)));
  }
}

/** How long no gateway was there. A clock that was set back says nothing: no time has passed then. */
function findDowntimeMs({ records, clock }: ChallengeDesk): number {
  const aliveAt = Date.parse(readSetting(records, ALIVE_AT) ?? "");
  return Number.isNaN(aliveAt) ? Number.POSITIVE_INFINITY : Math.max(0, clock.now().getTime() - aliveAt);
}

function findRestored(
  { records }: ChallengeDesk,
  { caseId, agentId, sessionId }: AttemptRow,
  specs: readonly CaseSpec[],
): RestoredCase[] {
  const spec = specs.find(({ id }) => id === caseId);
  if (spec === undefined) return [];
  return [{ spec, agentId, past: { sessionId, replies: listReplies(records, sessionId) } }];
}
