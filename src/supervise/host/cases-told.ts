import { type CaseRow, listCases } from "../../gateway/records/cases.ts";
import type { Store } from "../../store/store.ts";

/** What a plan says of cases of a job: how each was that it names, and that no other needs to be played again. */
export interface CasesTold {
  readonly job: number;
  readonly cases: readonly ToldCase[];
}

type ToldCase = Pick<CaseRow, "id" | "state" | "attempts" | "score">;

/** Keeps how cases are that a plan names. */
export function tellCases(job: number, rows: readonly CaseRow[]): CasesTold {
  return { job, cases: rows.map(({ id, state, attempts, score }) => ({ id, state, attempts, score })) };
}

/** Whether a case ended otherwise than by being played, so that its job cannot succeed. */
export function isNotPlayed({ state }: Pick<CaseRow, "state">): boolean {
  return state === "failed" || state === "cancelled";
}

/** The first case that is not as it was told, in words; undefined: all are. */
export function findCaseChange(records: Store, { job, cases }: CasesTold): string | undefined {
  const now = new Map(listCases(records, job).map((row) => [row.id, row]));
  for (const was of cases) {
    const row = now.get(was.id);
    if (row === undefined) return `case ${was.id} is gone`;
    if (row.state !== was.state) return `case ${was.id} is ${row.state}`;
    if (row.attempts !== was.attempts) return `case ${was.id} was played once more`;
    if (row.score !== was.score) return `case ${was.id} has a score now: ${row.score}`;
  }
  const told = new Set(cases.map(({ id }) => id));
  const more = [...now.values()].find((row) => isNotPlayed(row) && !told.has(row.id));
  return more && `case ${more.id} is ${more.state} too`;
}
