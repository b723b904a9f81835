import type { Store } from "../../store/store.ts";
import { type BestJob, listBestJobs } from "../records/best-jobs.ts";
import { countBoardChanges } from "../records/board-changes.ts";

/** A job on a board: the best one of its user. */
export interface RankedJob extends BestJob {
  /** From 1; users with the same score share one. */
  readonly rank: number;
}

const readColumn = {
  rank: ({ rank }: RankedJob) => rank,
  score: ({ score }: RankedJob) => score,
  user_name: ({ userName }: RankedJob) => userName,
  model_name: ({ modelName }: RankedJob) => modelName,
  created_at: ({ createdAt }: RankedJob) => createdAt,
} as const;

export type BoardColumn = keyof typeof readColumn;

/** What a leaderboard may be sorted by. */
export const boardColumns = Object.keys(readColumn) as BoardColumn[];

export interface BoardListing {
  readonly board: string;
  /** A part of the name of a user or a model, in whatever case. */
  readonly search?: string;
  readonly column: BoardColumn;
  readonly direction: "asc" | "desc";
  readonly size: number;
  readonly offset: number;
}

/** A board as it is until it changes. */
interface Ranking {
  readonly changes: number;
  readonly byUser: ReadonlyMap<string, RankedJob>;
  /** Upwards; made when it is first asked for. */
  readonly sorted: Map<BoardColumn, readonly RankedJob[]>;
}

/**
 * The ranks of all boards. They are public and may be asked for without end, so they are kept in memory, and made anew only
 * when the database says that a score or a user of the board has changed.
 */
export class BoardRanks {
  readonly #records: Store;
  readonly #rankings = new Map<string, Ranking>();

  constructor(records: Store) {
    this.#records = records;
  }

  /** A page of a board, and how many rows there are in all. */
  list({ board, search = "", column, direction, size, offset }: BoardListing) {
    const upwards = findMatches(sortBy(column, this.#read(board)), search);
    const total = upwards.length;
    if (direction === "asc") return { jobs: upwards.slice(offset, offset + size), total };
    const end = Math.max(0, total - offset);
    return { jobs: upwards.slice(Math.max(0, end - size), end).reverse(), total };
  }

  /** undefined: no job of this user on this board has a score. */
  find(board: string, userUid: string): RankedJob | undefined {
    return this.#read(board).byUser.get(userUid);
  }

  #read(board: string): Ranking {
    const changes = countBoardChanges(this.#records, board);
    const known = this.#rankings.get(board);
    if (known?.changes === changes) return known;
    const ranked = rank(listBestJobs(this.#records, board));
    const byUser = new Map(ranked.map((job) => [job.userUid, job]));
    const made: Ranking = { changes, byUser, sorted: new Map([["rank", ranked]]) };
    this.#rankings.set(board, made);
    return made;
  }
}

function rank(jobs: readonly BestJob[]): RankedJob[] {
  const ranked: RankedJob[] = [];
  for (const job of jobs) {
    const before = ranked.at(-1);
    ranked.push({ ...job, rank: before?.score === job.score ? before.rank : ranked.length + 1 });
  }
  return ranked;
}

function sortBy(column: BoardColumn, { sorted, byUser }: Ranking): readonly RankedJob[] {
  const known = sorted.get(column);
  if (known !== undefined) return known;
  const read = readColumn[column];
  const made = [...byUser.values()].sort((one, other) => {
    const [ours, others] = [read(one), read(other)];
    return ours < others ? -1 : ours > others ? 1 : one.jobId - other.jobId;
  });
  sorted.set(column, made);
  return made;
}

function findMatches(jobs: readonly RankedJob[], search: string): readonly RankedJob[] {
  if (search === "") return jobs;
  const part = search.toLowerCase();
  return jobs.filter(
    ({ userName, modelName }) =>
      userName.toLowerCase().includes(part) || modelName.toLowerCase().includes(part),
  );
}
