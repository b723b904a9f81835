import type { Row, Store } from "../../store/store.ts";
import { type CaseState, caseStates } from "./cases.ts";
import { type JobRow, readJob } from "./jobs.ts";

/** A job with whose it is, and how many of its cases are in which state. */
export interface JobOverview {
  readonly job: JobRow;
  readonly email: string;
  readonly cases: Readonly<Record<CaseState, number>>;
}

export interface JobFilter {
  readonly id?: number;
  readonly board?: string;
  /** Also those of users who were deleted. */
  readonly userIds?: readonly number[];
  readonly state?: "live" | "ended";
  readonly limit: number;
}

/** The newest first, and how many there are in all. */
export function listJobOverviews(records: Store, filter: JobFilter): { jobs: JobOverview[]; total: number } {
  const { where, values } = makeCondition(filter);
  const from = `FROM jobs JOIN users ON users.id = jobs.user_id WHERE ${where}`;
  const total = records.find(`SELECT COUNT(*) AS count ${from}`, ...values)?.["count"] as number;
  const counts = caseStates.map((state) => `SUM(cases.state = '${state}') AS ${state}_cases`).join(", ");
  const rows = records.list(
    `WITH chosen AS (SELECT jobs.*, users.email ${from} ORDER BY jobs.id DESC LIMIT ?)
     SELECT chosen.*, ${counts} FROM chosen LEFT JOIN cases ON cases.job_id = chosen.id
     GROUP BY chosen.id ORDER BY chosen.id DESC`,
    ...values,
    filter.limit,
  );
  return { jobs: rows.map(readOverview), total };
}

function makeCondition({ id, board, userIds, state }: JobFilter): { where: string; values: unknown[] } {
  const parts = ["1"];
  if (id !== undefined) parts.push("jobs.id = ?");
  if (board !== undefined) parts.push("jobs.board = ?");
  if (userIds !== undefined) parts.push("jobs.user_id IN (SELECT value FROM json_each(?))");
  if (state !== undefined) parts.push(`jobs.status ${state === "live" ? "IN" : "NOT IN"} (0, 1, 5)`);
  return {
    where: parts.join(" AND "),
    values: [id, board, userIds && JSON.stringify(userIds)].filter((value) => value !== undefined),
  };
}

function readOverview(row: Row): JobOverview {
  const cases = Object.fromEntries(
    caseStates.map((state) => [state, (row[`${state}_cases`] as number) ?? 0]),
  );
  return {
    job: readJob(row) as JobRow,
    email: row["email"] as string,
    cases: cases as JobOverview["cases"],
  };
}
