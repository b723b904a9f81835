import { SortieError } from "../../../base/error.ts";
import {
  loadBoardPage,
  loadCitationText,
  loadTopRows,
  loadUserTasks,
} from "../../../supervise/contest/load-leaderboards.ts";
import type { Contest } from "../../../supervise/contest/open-contest.ts";
import { type ContestOptions, defineContest } from "../../define-contest.ts";
import { formatDetail, formatRows, formatTop } from "../../views/format-leaderboard.ts";
import { findTableWidth } from "../../views/format-table.ts";

interface LeaderboardOptions extends ContestOptions {
  page?: string;
  search?: string;
  user?: string;
  citation?: boolean;
}

/** For `--json`, and for people. */
type Shown = readonly [document: object, lines: readonly string[]];

export const command = defineContest<LeaderboardOptions>({
  describe: (c) =>
    c
      .argument("[board]", "one board; default: the five best of each")
      .option("--page <n>", "further down the board, from 1")
      .option("--search <text>", "only rows with this in the name of user or model")
      .option("--user <uid>", "the tasks of one user")
      .option("--citation", "how to cite a result"),
  run: async ({ io, contest, options, args: [board] }) => {
    const [document, lines] = await show(contest, board, options, findTableWidth(io));
    if (io.json) io.printDocument(document);
    else for (const line of lines) io.say(line);
    return 0;
  },
});

async function show(
  contest: Contest,
  board: string | undefined,
  { page, search, user, citation }: LeaderboardOptions,
  columns: number,
): Promise<Shown> {
  if (citation) {
    const text = await loadCitationText(contest);
    return [{ citation: text }, text.trimEnd().split("\n")];
  }
  if (board === undefined) {
    if (page ?? search ?? user) refuse("A board must be named with --page, --search and --user.");
    const boards = await loadTopRows(contest);
    return [{ boards }, formatTop(boards, columns)];
  }
  if (user !== undefined) {
    const detail = await loadUserTasks(contest, board, user);
    return [{ detail }, formatDetail(detail, columns)];
  }
  const shown = await loadBoardPage(contest, { board, search, page: readPage(page) });
  return [shown, formatRows(shown, columns)];
}

function readPage(text = "1"): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  return refuse("--page is a number from 1.");
}

function refuse(problem: string): never {
  throw new SortieError("usage", { problem, command: "sortie challenge leaderboard" });
}
