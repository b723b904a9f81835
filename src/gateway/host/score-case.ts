import type { CaseScore, ScoreOutcome } from "../api/api-host.ts";
import type { PolicyDoor } from "../policy-port/policy-door.ts";
import { keepTold } from "../records/attempts.ts";
import { findCase, scoreLate } from "../records/cases.ts";
import { changeScore, findJob, jobStatus } from "../records/jobs.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";
import { scoreJob } from "./score-job.ts";

/**
 * Takes a score for a case that is played, or one that ended without any: what comes late is late, and not lost. The first
 * score stays. One that was taken is on record, though its simulator has yet to leave.
 */
export function scoreCase(
  { records, ledger }: ChallengeDesk,
  { door, jobs }: { readonly door: PolicyDoor; readonly jobs: ChallengeJobs },
  caseId: number,
  given: CaseScore,
): ScoreOutcome {
  if (ledger.isClosed) return "leaving";
  const outcome = door.score(caseId, given);
  if (outcome === "taken") ledger.write(() => keepTold(records, caseId, given));
  const found = findCase(records, caseId);
  // After a restart it may come before its simulator does, or instead of it.
  if (outcome === "too_early" && found && jobs.find(found.jobId)?.conclude(caseId, given)) return "taken";
  if (outcome !== "over" || found?.state !== "done") return outcome;
  if (found.score !== null) return found.score === given.score ? "same" : "kept";
  ledger.write(() => {
    scoreLate(records, caseId, given.score);
    if (findJob(records, found.jobId)?.status !== jobStatus.succeeded) return;
    changeScore(records, found.jobId, scoreJob(records, found.jobId));
  });
  return "taken";
}
