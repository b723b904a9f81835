import { makeShapeFault, type Row, readList, readNumber, readRow, readText } from "./reply-shape.ts";
import type { ApiSession } from "./session.ts";

/** The best job of one user of a board; null: the server does not say. */
export interface LeaderboardRow {
  readonly rank: number | null;
  readonly userUid: string | null;
  readonly userName: string | null;
  readonly modelName: string | null;
  readonly paperLink: string | null;
  readonly score: number | null;
  readonly createdAt: string | null;
}

export interface LeaderboardPage {
  readonly items: readonly LeaderboardRow[];
  readonly total: number;
  readonly page: number;
  readonly totalPages: number;
}

export interface LeaderboardListing {
  readonly board: string;
  /** From 1, the default. */
  readonly page?: number;
  /** Default: 20. */
  readonly perPage?: number;
  readonly sort?: string | undefined;
  readonly order?: "asc" | "desc" | undefined;
  /** A part of the name of a user or a model. */
  readonly search?: string | undefined;
}

/** Public. */
export async function loadLeaderboard(
  session: ApiSession,
  { board, page = 1, perPage = 20, sort, order, search }: LeaderboardListing,
): Promise<LeaderboardPage> {
  const query = {
    ...{ board, page, "per-page": perPage, per_page: perPage },
    ...(sort === undefined ? {} : { sort }),
    ...(order === undefined ? {} : { order }),
    ...(search === undefined ? {} : { q: search }),
  };
  return session.get("leaderboard", {
    query,
    anonymous: true,
    read: (body) => {
      const row = readRow(body);
      const items = readList(row["items"], "items").map((item) => readRanked(item));
      const total = readNumber(row["total"]) ?? items.length;
      const totalPages = readNumber(row["total_pages"]) ?? Math.ceil(total / perPage);
      return { items, total, page: readNumber(row["page"]) ?? page, totalPages };
    },
  });
}

/** The best of every board, by its name. Public. */
export async function loadTop5(session: ApiSession): Promise<ReadonlyMap<string, readonly LeaderboardRow[]>> {
  return session.get("leaderboard/top5", {
    anonymous: true,
    read: (body) => {
      const boards = Object.entries(readRow(readRow(body)["boards"], "boards"));
      return new Map(boards.map(([board, rows]) => [board, readList(rows, board).map(readRanked)]));
    },
  });
}

export interface BoardDetail extends LeaderboardRow {
  /** The reply as it came. */
  readonly raw: unknown;
  readonly tasks: readonly {
    readonly name: string | null;
    readonly scores: readonly (number | null)[];
    readonly total: number | null;
  }[];
}

/** The best job of one user on a board, by task. Public. */
export async function loadBoardDetail(
  session: ApiSession,
  { board, userUid }: { readonly board: string; readonly userUid: string },
): Promise<BoardDetail> {
  return session.get(`leaderboard/${encodeURIComponent(board)}/detail`, {
    query: { user_uid: userUid },
    anonymous: true,
    read: (raw) => {
      const row: Row = Array.isArray(raw) ? { tasks: raw } : readRow(raw);
      const tasks = readList(row["tasks"], "tasks").map((value) => {
        const task = readRow(value, "a task");
        const scores = readList(task["score"], "a score").map(readNumber);
        return {
          name: readText(task["task"]) ?? readText(task["name"]),
          scores,
          total: readNumber(task["total"]),
        };
      });
      return { ...readRanked(row), raw, tasks };
    },
  });
}

/** How to cite a result. Public. */
export async function loadCitation(session: ApiSession): Promise<string> {
  return session.get("leaderboard/citation", {
    anonymous: true,
    bare: true,
    read: (body) => {
      const text = typeof body === "string" ? body : readText(readRow(body)["citation"]);
      if (text === null) throw makeShapeFault("there is no citation in it");
      return text;
    },
  });
}

/** The contestant's best on a board; null: no score yet. */
export async function loadBestScore(
  session: ApiSession,
  board: string,
): Promise<{ score: number; rank: number } | null> {
  return session.get("best-score", {
    query: { board },
    read: (body) => {
      const row = readRow(body);
      const rank = readNumber(row["rank"]) ?? 0;
      const score = readNumber(row["score"]);
      return row["status"] === "error" || rank === 0 || score === null ? null : { score, rank };
    },
  });
}

function readRanked(value: unknown): LeaderboardRow {
  const row = readRow(value, "a row of the board");
  return {
    ...{
      rank: readNumber(row["rank"]),
      userUid: readText(row["user_uid"]),
      userName: readText(row["user_name"]),
    },
    ...{ modelName: readText(row["model_name"]), paperLink: readText(row["paper_link"]) },
    ...{ score: readNumber(row["score"]), createdAt: readText(row["created_at"]) },
  };
}
