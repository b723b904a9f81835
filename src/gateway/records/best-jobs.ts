import type { Row, Store } from "../../store/store.ts";

/** The best job of a user on a board. */
export interface BestJob {
  readonly jobId: number;
  /** From 1; users with the same score share one. */
  readonly rank: number;
  readonly userUid: string;
  readonly userName: string;
  readonly modelName: string;
  readonly paperLink: string | null;
  readonly score: number;
  readonly createdAt: string;
}

/** What a leaderboard may be sorted by. */
export const bestJobColumns = ["rank", "score", "user_name", "model_name", "created_at"] as const;

export interface BestJobListing {
  readonly board: string;
  /** A part of the name of a user or a model, in whatever case. */
  readonly search?: string;
  /** One of `bestJobColumns`: it becomes part of the statement. */
  readonly column: string;
  readonly direction: "asc" | "desc";
  readonly size: number;
  readonly offset: number;
}

/** Of equal scores of a user the first counts. Users who were deleted are not on the board. */
const best = `
  WITH scored AS (
    SELECT jobs.id AS job_id, users.uid AS user_uid, users.name AS user_name, jobs.model_name, jobs.paper_link, jobs.score,
      jobs.created_at, ROW_NUMBER() OVER (PARTITION BY users.id ORDER BY jobs.score DESC, jobs.id) AS place
    FROM jobs JOIN users ON users.id = jobs.user_id
    WHERE jobs.board = ?1 AND jobs.status = 2 AND jobs.score IS NOT NULL AND users.deleted_at IS NULL
  ),
  best AS (SELECT *, RANK() OVER (ORDER BY score DESC) AS rank FROM scored WHERE place = 1)`;

/** A page of a board, and how many rows there are in all. */
export function listBestJobs(records: Store, listing: BestJobListing): { jobs: BestJob[]; total: number } {
  const { board, size, offset, direction } = listing;
  const search = listing.search ?? "";
  const column = bestJobColumns.find((known) => known === listing.column) ?? "rank";
  const where = "WHERE instr(lower(user_name), lower(?2)) OR instr(lower(model_name), lower(?2))";
  const rows = records.list(
    `${best} SELECT * FROM best ${where} ORDER BY ${column} ${direction}, job_id ${direction} LIMIT ?3 OFFSET ?4`,
    ...[board, search, size, offset],
  );
  const count = records.find(`${best} SELECT COUNT(*) AS count FROM best ${where}`, board, search);
  return { jobs: rows.map(readBestJob), total: count?.["count"] as number };
}

/** undefined: no job of this user on this board has a score. */
export function findBestJob(records: Store, board: string, userUid: string): BestJob | undefined {
  const row = records.find(`${best} SELECT * FROM best WHERE user_uid = ?2`, board, userUid);
  return row && readBestJob(row);
}

function readBestJob(row: Row): BestJob {
  return {
    jobId: row["job_id"] as number,
    rank: row["rank"] as number,
    userUid: row["user_uid"] as string,
    userName: row["user_name"] as string,
    modelName: row["model_name"] as string,
    paperLink: row["paper_link"] as string | null,
    score: row["score"] as number,
    createdAt: row["created_at"] as string,
  };
}
