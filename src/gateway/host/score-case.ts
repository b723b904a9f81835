import type { CaseScore, ScoreOutcome } from "../api/api-host.ts";
import { totalScores } from "../api/total-scores.ts";
import type { PolicyDoor } from "../policy-port/policy-door.ts";
import { findCase, listCases, scoreLate } from "../records/cases.ts";
import { changeScore, findJob, jobStatus } from "../records/jobs.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import { averaging } from "./keep-journal.ts";

/**
 * Takes a score for a case that is played, or one that ended without any: what comes late is late, and not lost. The first
 * score stays.
 */
export function scoreCase(
  desk: ChallengeDesk,
  door: PolicyDoor,
  caseId: number,
  given: CaseScore,
): ScoreOutcome {
  const outcome = door.score(caseId, given);
  const found = findCase(desk.records, caseId);
  if (outcome !== "over" || found?.state !== "done") return outcome;
  if (found.score !== null) return found.score === given.score ? "same" : "kept";
  desk.ledger.write(() => {
    const { records } = desk;
    scoreLate(records, caseId, given.score);
    if (findJob(records, found.jobId)?.status !== jobStatus.succeeded) return;
    changeScore(records, found.jobId, totalScores(listCases(records, found.jobId), averaging).total);
  });
  return "taken";
}
