import { countOf } from "../../../base/count-of.ts";
import { makePrintable } from "../../../base/printable.ts";
import { loadAccount } from "../../../supervise/contest/load-account.ts";
import { defineContest } from "../../define-contest.ts";

export const command = defineContest({
  describe: (c) => c,
  run: async ({ io, contest }) => {
    const account = await loadAccount(contest);
    const { name, maxConcurrentCases, baseUrl } = account;
    if (io.json) io.printDocument({ account });
    else {
      const agents =
        maxConcurrentCases === null ? "" : `, up to ${countOf(maxConcurrentCases, "agent")} at once`;
      io.say(makePrintable(`${name} at ${baseUrl}${agents}`));
    }
    return 0;
  },
});
