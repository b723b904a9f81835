import type { Row, Store } from "../../store/store.ts";
import { STARTUP_RECONCILE } from "../session-loss.ts";

/** Why an attempt failed, as the platform counts it (PROTOCOL 1.2). */
export const failureReasons = {
  none: 0,
  execution_error: 1,
  submit_error: 2,
  timeout: 3,
  killed: 4,
  start_up_timeout: 5,
  stale_placement: 6,
  operator_reap: 7,
  sibling_of_dead_job: 8,
  tunnel_lost: 9,
} as const;

export type FailureReason = keyof typeof failureReasons;

/** As lists of SQL: what broke an attempt off with its job; and all that is no fault of its agent. */
const BROKEN_OFF = listNumbers("operator_reap", "sibling_of_dead_job");
const NOT_BY_AGENT = listNumbers("none", "stale_placement", "operator_reap", "sibling_of_dead_job");

/** A case as it was begun once, over one session of one agent. */
export interface AttemptRow {
  readonly id: number;
  readonly caseId: number;
  readonly jobId: number;
  /** From 1. */
  readonly number: number;
  readonly sessionId: string;
  readonly agentId: string;
  readonly startedAt: string;
  /** null: it is being played. */
  readonly endedAt: string | null;
  readonly failureReason: number;
  /** Whether it failed by its simulator: the platform has no number for that. */
  readonly isBySimulator: boolean;
  readonly detail: string | null;
  /** The file in the folder of recordings. */
  readonly recording: string | null;
  /** How many replies were taken. */
  readonly replies: number;
  /** Whether it can go on after a restart: its replies are all on record. */
  readonly isResumable: boolean;
  /** Whether its simulator said good-bye: it is over, though its score may still come. */
  readonly hasLeft: boolean;
  /** The score that a simulator from outside told of it; it counts whatever happens before the end. */
  readonly told: ToldScore | undefined;
}

export interface ToldScore {
  readonly score: number;
  readonly steps?: number;
  readonly detail?: string;
}

/** Gives a case to an agent. The database itself refuses a second owner. */
export function beginAttempt(
  records: Store,
  begin: {
    readonly caseId: number;
    readonly jobId: number;
    readonly sessionId: string;
    readonly agentId: string;
  },
  now: Date,
): void {
  const { caseId, jobId, sessionId, agentId } = begin;
  records.together(() => {
    records.change("UPDATE cases SET state = 'playing', attempts = attempts + 1 WHERE id = ?", caseId);
    records.change(
      `INSERT INTO attempts (case_id, job_id, number, session_id, agent_id, started_at)
       VALUES (?, ?, (SELECT attempts FROM cases WHERE id = ?), ?, ?, ?)`,
      ...[caseId, jobId, caseId, sessionId, agentId, now.toISOString()],
    );
  });
}

/** Ends an attempt, and forgets its replies. False where it is none that is open: then the case is not its own. */
export function endAttempt(
  records: Store,
  sessionId: string,
  end: { readonly reason: FailureReason; readonly isBySimulator?: boolean; readonly detail: string | null },
  now: Date,
): boolean {
  const { reason, isBySimulator = false, detail } = end;
  return records.together(() => {
    const ended = records.change(
      `UPDATE attempts SET ended_at = ?, failure_reason = ?, by_simulator = ?, detail = ?
       WHERE session_id = ? AND ended_at IS NULL`,
      ...[now.toISOString(), failureReasons[reason], isBySimulator ? 1 : 0, detail, sessionId],
    );
    records.change("DELETE FROM replies WHERE session_id = ?", sessionId);
    return ended === 1;
  });
}

/** Keeps the score of a case that is being played; the first one stays. */
export function keepTold(records: Store, caseId: number, { score, steps, detail }: ToldScore): void {
  records.change(
    `UPDATE attempts SET told_score = ?, told_steps = ?, told_detail = ?
     WHERE case_id = ? AND ended_at IS NULL AND told_score IS NULL`,
    ...[score, steps ?? null, detail ?? null, caseId],
  );
}

/** The simulator of a session said good-bye without a score. */
export function markLeft(records: Store, sessionId: string): void {
  records.change("UPDATE attempts SET has_left = 1 WHERE session_id = ? AND ended_at IS NULL", sessionId);
}

export function nameRecording(records: Store, sessionId: string, file: string): void {
  records.change("UPDATE attempts SET recording = ? WHERE session_id = ?", file, sessionId);
}

/** Who played cases of the jobs that ended since then. */
export function listAgentsOfEnded(
  records: Store,
  since: Date,
): { readonly jobId: number; readonly agentId: string }[] {
  const sql = `SELECT DISTINCT attempts.job_id, agent_id FROM attempts JOIN jobs ON jobs.id = attempts.job_id
    WHERE jobs.ended_at >= ?`;
  return records
    .list(sql, since.toISOString())
    .map((row) => ({ jobId: row["job_id"] as number, agentId: row["agent_id"] as string }));
}

/** Those that are being played, or were when the gateway died. */
export function listOpenAttempts(records: Store): AttemptRow[] {
  return records.list("SELECT * FROM attempts WHERE ended_at IS NULL ORDER BY id").map(readAttempt);
}

/** The newest first. */
export function listAttempts(records: Store, jobId: number): AttemptRow[] {
  return records.list("SELECT * FROM attempts WHERE job_id = ? ORDER BY id DESC", jobId).map(readAttempt);
}

/** The newest attempt that failed by itself; where none did, one that was broken off with its job. */
export function findNewestFailure(records: Store, jobId: number): AttemptRow | undefined {
  const row = records.find(
    `SELECT * FROM attempts WHERE job_id = ? AND ended_at IS NOT NULL AND failure_reason <> ${failureReasons.none}
     ORDER BY failure_reason IN (${BROKEN_OFF}), id DESC LIMIT 1`,
    jobId,
  );
  return row && readAttempt(row);
}

/**
 * How often each case of a job failed by its agent, since it was requeued last: what was the gateway's own doing, a
 * simulator's or the organiser's does not count.
 */
export function countFailures(records: Store, jobId: number): Map<number, number> {
  const rows = records.list(
    `SELECT case_id, COUNT(*) AS failures FROM attempts JOIN cases ON cases.id = attempts.case_id
     WHERE attempts.job_id = ? AND failure_reason NOT IN (${NOT_BY_AGENT}) AND by_simulator = 0 AND detail IS NOT ?
       AND number > forgiven
     GROUP BY case_id`,
    jobId,
    STARTUP_RECONCILE,
  );
  return new Map(rows.map((row) => [row["case_id"] as number, row["failures"] as number]));
}

function readAttempt(row: Row): AttemptRow {
  return {
    id: row["id"] as number,
    caseId: row["case_id"] as number,
    jobId: row["job_id"] as number,
    number: row["number"] as number,
    sessionId: row["session_id"] as string,
    agentId: row["agent_id"] as string,
    startedAt: row["started_at"] as string,
    endedAt: row["ended_at"] as string | null,
    failureReason: row["failure_reason"] as number,
    isBySimulator: row["by_simulator"] === 1,
    detail: row["detail"] as string | null,
    recording: row["recording"] as string | null,
    replies: row["replies"] as number,
    isResumable: row["resumable"] === 1,
    hasLeft: row["has_left"] === 1,
    told: readTold(row),
  };
}

function readTold({ told_score: score, told_steps: steps, told_detail: detail }: Row): ToldScore | undefined {
  if (score === null) return undefined;
  return {
    score: score as number,
    steps: (steps as number | null) ?? undefined,
    detail: (detail as string | null) ?? undefined,
  };
}

function listNumbers(...reasons: readonly FailureReason[]): string {
  return reasons.map((reason) => failureReasons[reason]).join(", ");
}
