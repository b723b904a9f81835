import { findContestJob } from "../../../supervise/contest/find-contest-job.ts";
import { loadScores } from "../../../supervise/contest/load-scores.ts";
import { defineContest, describeJob } from "../../define-contest.ts";
import { formatScores } from "../../views/format-scores.ts";
import { findTableWidth } from "../../views/format-table.ts";

export const command = defineContest({
  describe: describeJob,
  run: async ({ io, contest, args: [wanted] }) => {
    const scores = await loadScores(contest, await findContestJob(contest, wanted));
    if (io.json) io.printDocument({ result: scores });
    else for (const line of formatScores(scores, findTableWidth(io))) io.say(line);
    return 0;
  },
});
