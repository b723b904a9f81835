import { loadQuotaNow } from "../../../supervise/contest/load-account.ts";
import { defineContest } from "../../define-contest.ts";

export const command = defineContest({
  describe: (c) => c,
  run: async ({ io, contest }) => {
    const quota = await loadQuotaNow(contest);
    const { limit, used, remaining } = quota;
    if (io.json) io.printDocument({ quota });
    else io.say(`${remaining} of ${limit} submissions are left; ${used} ${used === 1 ? "is" : "are"} used.`);
    return 0;
  },
});
