import { SortieError } from "../../base/error.ts";
import { type LeaderboardRow, loadBestScore, loadTop5 } from "../../challenge/api/leaderboard.ts";
import { boardNames } from "../../challenge/check-submission.ts";
import type { Contest } from "./open-contest.ts";

export interface BoardRank {
  readonly board: string;
  /** null, and so is the score: none yet. */
  readonly rank: number | null;
  readonly score: number | null;
}

export interface BoardReport {
  readonly name: string;
  /** The first row of the board; null: nobody has a score. */
  readonly best: LeaderboardRow | null;
  /** null: nobody is logged in. */
  readonly own: BoardRank | null;
}

/** The boards that the challenge names, with the best of each and one's own. */
export async function loadBoards(contest: Contest): Promise<BoardReport[]> {
  const top = await loadTop5(contest.session);
  const names = listNames(top);
  const own = await loadOwnRanks(contest, names);
  return names.map((name) => ({
    ...{ name, best: top.get(name)?.[0] ?? null },
    own: own.find(({ board }) => board === name) ?? null,
  }));
}

/** The boards are public: without a login there are none of one's own. */
async function loadOwnRanks(contest: Contest, names: readonly string[]): Promise<BoardRank[]> {
  try {
    return await loadRanks(contest, names);
  } catch (fault) {
    if (fault instanceof SortieError && fault.code === "challenge_login_needed") return [];
    throw fault;
  }
}

/** Of the person who is logged in, on these boards; default: all that the challenge names. */
export async function loadRanks(contest: Contest, boards?: readonly string[]): Promise<BoardRank[]> {
  const { session } = contest;
  const names = boards ?? (await loadBoardNames(contest));
  const ranks: BoardRank[] = [];
  for (const board of names) {
    const best = await loadBestScore(session, board);
    ranks.push({ board, rank: best?.rank ?? null, score: best?.score ?? null });
  }
  return ranks;
}

export async function loadBoardNames({ session }: Contest): Promise<string[]> {
  return listNames(await loadTop5(session));
}

/** A challenge without a score yet may name none. */
function listNames(top: ReadonlyMap<string, unknown>): string[] {
  return top.size > 0 ? [...top.keys()] : [...boardNames];
}
