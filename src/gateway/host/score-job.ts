import type { Store } from "../../store/store.ts";
import { totalScores } from "../api/total-scores.ts";
import { listCases } from "../records/cases.ts";

/** The score of a job, whatever the replies of the API make of it. */
const averaging = { statusStyle: "new", totalStyle: "mean" } as const;

/**
 * The score of a job on the leaderboard: the mean over tasks of the means over their cases. null until every case has one:
 * a case without would otherwise count for more than one that went badly.
 */
export function scoreJob(records: Store, jobId: number): number | null {
  const cases = listCases(records, jobId);
  return cases.every(({ score }) => score !== null) ? totalScores(cases, averaging).total : null;
}
