import type { Store } from "../../store/store.ts";
import { type JobRow, readJob } from "./jobs.ts";

/** What a list of jobs may be sorted by. */
export const jobColumns = [
  ...["id", "name", "board", "model_name", "status"],
  ...["created_at", "started_at", "ended_at", "score"],
] as const;

export interface JobListing {
  readonly userId: number;
  /** undefined: of every model. */
  readonly modelName?: string;
  /** One of `jobColumns`: it becomes part of the statement. */
  readonly column: string;
  readonly direction: "asc" | "desc";
  readonly size: number;
  readonly offset: number;
}

/**
 * A page of a user's jobs, and how many there are in all. Rows that are equal by the column stand in the order of their
 * numbers.
 */
export function listJobs(records: Store, listing: JobListing): { jobs: JobRow[]; total: number } {
  const { userId, modelName = null, size, offset, direction } = listing;
  const column = jobColumns.find((known) => known === listing.column) ?? "id";
  const where = "WHERE user_id = ?1 AND (?2 IS NULL OR model_name = ?2)";
  const rows = records.list(
    `SELECT * FROM jobs ${where} ORDER BY ${column} ${direction}, id ${direction} LIMIT ?3 OFFSET ?4`,
    ...[userId, modelName, size, offset],
  );
  const count = records.find(`SELECT COUNT(*) AS count FROM jobs ${where}`, userId, modelName);
  return { jobs: rows.map((row) => readJob(row) as JobRow), total: count?.["count"] as number };
}

export interface CaseCount {
  readonly done: number;
  readonly total: number;
}

/** How far each of these jobs is. A case that failed or was cancelled is not done. */
export function countCases(records: Store, jobIds: readonly number[]): Map<number, CaseCount> {
  const rows = records.list(
    `SELECT job_id, COUNT(*) AS total, SUM(state = 'done') AS done FROM cases
     WHERE job_id IN (SELECT value FROM json_each(?)) GROUP BY job_id`,
    JSON.stringify(jobIds),
  );
  return new Map(
    rows.map((row) => [
      row["job_id"] as number,
      { done: row["done"] as number, total: row["total"] as number },
    ]),
  );
}
