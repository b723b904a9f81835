import {
  type BoardDetail,
  type LeaderboardRow,
  loadBoardDetail,
  loadCitation,
  loadLeaderboard,
  loadTop5,
} from "../../challenge/api/leaderboard.ts";
import type { Contest } from "./open-contest.ts";

export type { LeaderboardRow };

export interface BoardPage {
  readonly board: string;
  readonly rows: readonly LeaderboardRow[];
  readonly page: number;
  readonly totalPages: number;
  readonly total: number;
}

export interface UserTasks extends Omit<BoardDetail, "raw"> {
  readonly board: string;
}

export async function loadBoardPage(
  { session }: Contest,
  listing: { readonly board: string; readonly page: number; readonly search?: string | undefined },
): Promise<BoardPage> {
  const { items, page, totalPages, total } = await loadLeaderboard(session, listing);
  return { board: listing.board, rows: items, page, totalPages, total };
}

/** The best of each board. */
export async function loadTopRows({ session }: Contest): Promise<Record<string, readonly LeaderboardRow[]>> {
  return Object.fromEntries(await loadTop5(session));
}

/** The best job of one user, by task. */
export async function loadUserTasks(
  { session }: Contest,
  board: string,
  userUid: string,
): Promise<UserTasks> {
  const { raw: _, ...detail } = await loadBoardDetail(session, { board, userUid });
  return { board, ...detail };
}

export async function loadCitationText({ session }: Contest): Promise<string> {
  return loadCitation(session);
}
