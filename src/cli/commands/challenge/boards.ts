import { loadBoards } from "../../../supervise/contest/load-boards.ts";
import { defineContest } from "../../define-contest.ts";
import { formatBoards } from "../../views/format-boards.ts";
import { findTableWidth } from "../../views/format-table.ts";

export const command = defineContest({
  describe: (c) => c,
  run: async ({ io, contest }) => {
    const boards = await loadBoards(contest);
    if (io.json) io.printDocument({ boards });
    else for (const line of formatBoards(boards, findTableWidth(io))) io.say(line);
    return 0;
  },
});
