import type { Row, Store } from "../../store/store.ts";

/** As the platform counts them (PROTOCOL 1.2). */
export const jobStatus = { ready: 0, running: 1, succeeded: 2, stopped: 3, failed: 4, stopping: 5 } as const;

export type JobStatus = (typeof jobStatus)[keyof typeof jobStatus];

export interface JobRow {
  readonly id: number;
  readonly uuid: string;
  readonly userId: number;
  readonly name: string;
  readonly board: string;
  readonly modelName: string;
  readonly description: string | null;
  readonly paperLink: string | null;
  readonly parallelism: number;
  readonly tokenHash: Buffer;
  readonly status: JobStatus;
  /** In words, where it failed or was stopped. */
  readonly endReason: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Of a job that succeeded: the mean over tasks of the means over their cases; null: not every case has a score. */
  readonly score: number | null;
}

export interface NewJob {
  readonly uuid: string;
  readonly userId: number;
  readonly name: string;
  readonly board: string;
  readonly modelName: string;
  readonly description?: string;
  readonly paperLink?: string;
  readonly parallelism: number;
  readonly tokenHash: Buffer;
  /** The day of the quota's time zone. */
  readonly quotaDay: string;
  readonly cases: readonly NewCase[];
}

export interface NewCase {
  readonly task: string;
  /** From 1, in the order of the board. */
  readonly taskId: number;
  readonly index: number;
  readonly seed: number;
}

/** Records a job with its cases, all or nothing; its number. */
export function insertJob(records: Store, job: NewJob, now: Date): number {
  return records.together(() => {
    records.change(
      `INSERT INTO jobs (uuid, user_id, name, board, model_name, description, paper_link, parallelism, token_hash,
         quota_day, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      job.uuid,
      job.userId,
      job.name,
      job.board,
      job.modelName,
      job.description ?? null,
      job.paperLink ?? null,
      job.parallelism,
      job.tokenHash,
      job.quotaDay,
      now.toISOString(),
    );
    const id = records.find("SELECT id FROM jobs WHERE uuid = ?", job.uuid)?.["id"] as number;
    for (const { task, taskId, index, seed } of job.cases) {
      records.change(
        "INSERT INTO cases (job_id, task, task_id, case_index, seed) VALUES (?, ?, ?, ?, ?)",
        ...[id, task, taskId, index, seed],
      );
    }
    return id;
  });
}

export function findJob(records: Store, id: number): JobRow | undefined {
  return readJob(records.find("SELECT * FROM jobs WHERE id = ?", id));
}

export function findJobByUuid(records: Store, uuid: string): JobRow | undefined {
  return readJob(records.find("SELECT * FROM jobs WHERE uuid = ?", uuid));
}

/** Those that have not ended, oldest first. */
export function listLiveJobs(records: Store): JobRow[] {
  return records
    .list("SELECT * FROM jobs WHERE status IN (0, 1, 5) ORDER BY id")
    .map((row) => readJob(row) as JobRow);
}

/** The numbers of those that have not ended. */
export function listLiveJobIds(records: Store): number[] {
  return records
    .list("SELECT id FROM jobs WHERE status IN (0, 1, 5) ORDER BY id")
    .map((row) => row["id"] as number);
}

/** How many of a user's jobs count for a day. */
export function countJobsOfDay(records: Store, userId: number, quotaDay: string): number {
  const row = records.find(
    "SELECT COUNT(*) AS count FROM jobs WHERE user_id = ? AND quota_day = ?",
    userId,
    quotaDay,
  );
  return row?.["count"] as number;
}

/** Its first case begins. */
export function markRunning(records: Store, id: number, now: Date): void {
  records.change(
    "UPDATE jobs SET status = 1, started_at = COALESCE(started_at, ?) WHERE id = ? AND status IN (0, 1)",
    now.toISOString(),
    id,
  );
}

export function markStopping(records: Store, id: number, reason: string): void {
  records.change("UPDATE jobs SET status = 5, end_reason = ? WHERE id = ? AND status IN (0, 1)", reason, id);
}

/** Ends a job; one that has ended stays as it is. */
export function markEnded(
  records: Store,
  id: number,
  end: { readonly status: 2 | 3 | 4; readonly reason: string | null; readonly score: number | null },
  now: Date,
): void {
  records.change(
    `UPDATE jobs SET status = ?, end_reason = COALESCE(?, end_reason), score = ?, ended_at = ?
     WHERE id = ? AND status IN (0, 1, 5)`,
    end.status,
    end.reason,
    end.score,
    now.toISOString(),
    id,
  );
}

export function changeScore(records: Store, id: number, score: number | null): void {
  records.change("UPDATE jobs SET score = ? WHERE id = ?", score, id);
}

/** A job that ended waits for agents again. */
export function reviveJob(records: Store, id: number): void {
  records.change(
    "UPDATE jobs SET status = 0, end_reason = NULL, ended_at = NULL, score = NULL WHERE id = ? AND status IN (2, 3, 4)",
    id,
  );
}

export function readJob(row: Row | undefined): JobRow | undefined {
  if (row === undefined) return undefined;
  return {
    id: row["id"] as number,
    uuid: row["uuid"] as string,
    userId: row["user_id"] as number,
    name: row["name"] as string,
    board: row["board"] as string,
    modelName: row["model_name"] as string,
    description: row["description"] as string | null,
    paperLink: row["paper_link"] as string | null,
    parallelism: row["parallelism"] as number,
    tokenHash: Buffer.from(row["token_hash"] as Uint8Array),
    status: row["status"] as JobStatus,
    endReason: row["end_reason"] as string | null,
    createdAt: row["created_at"] as string,
    startedAt: row["started_at"] as string | null,
    endedAt: row["ended_at"] as string | null,
    score: row["score"] as number | null,
  };
}
