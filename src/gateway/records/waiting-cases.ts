import type { Store } from "../../store/store.ts";
import type { CaseRow } from "./cases.ts";

/** A case that nobody plays yet, of a job that has not ended. */
export type WaitingCase = Pick<CaseRow, "id" | "jobId" | "task" | "index" | "seed"> & {
  readonly board: string;
};

/** The oldest `most` of these boards. */
export function listWaitingCases(records: Store, boards: readonly string[], most: number): WaitingCase[] {
  const rows = records.list(
    `SELECT cases.id, cases.job_id, cases.task, cases.case_index, cases.seed, jobs.board
     FROM jobs JOIN cases ON cases.job_id = jobs.id
     WHERE jobs.status IN (0, 1) AND jobs.board IN (SELECT value FROM json_each(?)) AND cases.state = 'waiting'
     ORDER BY cases.id LIMIT ?`,
    JSON.stringify(boards),
    most,
  );
  return rows.map((row) => ({
    id: row["id"] as number,
    jobId: row["job_id"] as number,
    task: row["task"] as string,
    index: row["case_index"] as number,
    seed: row["seed"] as number,
    board: row["board"] as string,
  }));
}

/** The board of a case; undefined: there is no such case. */
export function findBoardOfCase(records: Store, caseId: number): string | undefined {
  const sql = "SELECT jobs.board FROM cases JOIN jobs ON jobs.id = cases.job_id WHERE cases.id = ?";
  return records.find(sql, caseId)?.["board"] as string | undefined;
}
