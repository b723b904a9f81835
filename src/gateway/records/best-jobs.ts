import type { Store } from "../../store/store.ts";

/** The best job of a user on a board. */
export interface BestJob {
  readonly jobId: number;
  readonly userUid: string;
  readonly userName: string;
  readonly modelName: string;
  readonly paperLink: string | null;
  readonly score: number;
  readonly createdAt: string;
}

/**
 * Of every user with a score on the board, the best first. Of equal scores of a user the first counts. Users who were deleted
 * are not on the board.
 */
export function listBestJobs(records: Store, board: string): BestJob[] {
  const rows = records.list(
    `WITH scored AS (
       SELECT id, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY score DESC, id) AS place
       FROM jobs WHERE board = ? AND status = 2 AND score IS NOT NULL
     )
     SELECT jobs.id, users.uid, users.name, jobs.model_name, jobs.paper_link, jobs.score, jobs.created_at
     FROM scored JOIN jobs ON jobs.id = scored.id JOIN users ON users.id = jobs.user_id
     WHERE scored.place = 1 AND users.deleted_at IS NULL ORDER BY jobs.score DESC, jobs.id`,
    board,
  );
  return rows.map((row) => ({
    jobId: row["id"] as number,
    userUid: row["uid"] as string,
    userName: row["name"] as string,
    modelName: row["model_name"] as string,
    paperLink: row["paper_link"] as string | null,
    score: row["score"] as number,
    createdAt: row["created_at"] as string,
  }));
}
