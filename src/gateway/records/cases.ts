import type { Row, Store } from "../../store/store.ts";

/** `done` without a score is unscored, which is not 0. */
export const caseStates = ["waiting", "playing", "done", "failed", "cancelled"] as const;

export type CaseState = (typeof caseStates)[number];

export interface CaseRow {
  readonly id: number;
  readonly jobId: number;
  readonly task: string;
  readonly taskId: number;
  readonly index: number;
  readonly seed: number;
  readonly state: CaseState;
  /** How often it was begun. */
  readonly attempts: number;
  readonly score: number | null;
  readonly steps: number | null;
}

/** In the order of the board. */
export function listCases(records: Store, jobId: number): CaseRow[] {
  return records.list("SELECT * FROM cases WHERE job_id = ? ORDER BY id", jobId).map(readCase);
}

export function findCase(records: Store, id: number): CaseRow | undefined {
  const row = records.find("SELECT * FROM cases WHERE id = ?", id);
  return row && readCase(row);
}

export function markCase(
  records: Store,
  id: number,
  state: CaseState,
  end:
    | { readonly score: number | null; readonly steps: number | null; readonly at: Date }
    | undefined = undefined,
): void {
  records.change(
    "UPDATE cases SET state = ?, score = ?, steps = ?, ended_at = ? WHERE id = ?",
    ...[state, end?.score ?? null, end?.steps ?? null, end?.at.toISOString() ?? null, id],
  );
}

/**
 * Lets cases of a job that has ended wait again: all that failed or were cancelled, since a job succeeds by all of its cases
 * alone, and those of `named` that ended well. What failed of them so far is forgiven.
 */
export function requeueCases(records: Store, jobId: number, named: readonly number[]): void {
  records.change(
    `UPDATE cases SET state = 'waiting', score = NULL, steps = NULL, ended_at = NULL, forgiven = attempts
     WHERE job_id = ? AND (state IN ('failed', 'cancelled')
       OR state = 'done' AND id IN (SELECT value FROM json_each(?)))`,
    jobId,
    JSON.stringify(named),
  );
}

/** The score of a case that ended without one; false where it has one already, which stays. */
export function scoreLate(records: Store, id: number, score: number): boolean {
  const sql = "UPDATE cases SET score = ? WHERE id = ? AND state = 'done' AND score IS NULL";
  return records.change(sql, score, id) === 1;
}

function readCase(row: Row): CaseRow {
  return {
    id: row["id"] as number,
    jobId: row["job_id"] as number,
    task: row["task"] as string,
    taskId: row["task_id"] as number,
    index: row["case_index"] as number,
    seed: row["seed"] as number,
    state: row["state"] as CaseState,
    attempts: row["attempts"] as number,
    score: row["score"] as number | null,
    steps: row["steps"] as number | null,
  };
}
