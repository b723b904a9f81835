import { loadRanks } from "../../../supervise/contest/load-boards.ts";
import { type ContestOptions, defineContest } from "../../define-contest.ts";
import { formatRanks } from "../../views/format-boards.ts";
import { findTableWidth } from "../../views/format-table.ts";

export const command = defineContest<ContestOptions & { board?: string }>({
  describe: (c) => c.option("--board <board>", "only on this one"),
  run: async ({ io, contest, options: { board } }) => {
    const ranks = await loadRanks(contest, board === undefined ? undefined : [board]);
    if (io.json) io.printDocument({ ranks });
    else for (const line of formatRanks(ranks, findTableWidth(io))) io.say(line);
    return 0;
  },
});
