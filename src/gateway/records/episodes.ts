import type { Row, Store } from "../../store/store.ts";

/** A case that was played to its end, as the attempt that did it. */
export interface EpisodeRow {
  readonly jobId: number;
  readonly caseId: number;
  readonly task: string;
  readonly taskId: number;
  /** The session that it was played in. */
  readonly uuid: string;
  readonly score: number | null;
  /** The file in the folder of recordings. */
  readonly recording: string | null;
}

/** In the order of the board. Of a case that was played more than once the newest. */
export function listEpisodes(records: Store, jobId: number): EpisodeRow[] {
  const newest = `SELECT MAX(id) FROM attempts
    WHERE job_id = ? AND ended_at IS NOT NULL AND failure_reason = 0 GROUP BY case_id`;
  const sql = `${select} WHERE attempts.id IN (${newest}) AND cases.state = 'done' ORDER BY cases.id`;
  return records.list(sql, jobId).map(readEpisode);
}

export function findEpisode(records: Store, uuid: string): EpisodeRow | undefined {
  const row = records.find(`${select} WHERE attempts.session_id = ?`, uuid);
  return row && readEpisode(row);
}

const select = `
  SELECT cases.job_id, cases.id AS case_id, cases.task, cases.task_id, attempts.session_id, cases.score, attempts.recording
  FROM attempts JOIN cases ON cases.id = attempts.case_id`;

function readEpisode(row: Row): EpisodeRow {
  return {
    jobId: row["job_id"] as number,
    caseId: row["case_id"] as number,
    task: row["task"] as string,
    taskId: row["task_id"] as number,
    uuid: row["session_id"] as string,
    score: row["score"] as number | null,
    recording: row["recording"] as string | null,
  };
}
