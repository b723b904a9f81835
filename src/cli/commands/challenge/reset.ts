import { makePrintable } from "../../../base/printable.ts";
import { resetJob } from "../../../supervise/contest/reset-job.ts";
import { type ContestOptions, defineContest } from "../../define-contest.ts";
import { planAndAct } from "../../plan-and-act.ts";

export const command = defineContest<ContestOptions & { yes?: boolean }>({
  describe: (c) =>
    c
      .option("--yes", "confirm the plan without a question")
      .addHelpText("after", "\nA job that has not ended goes on; forgetting it must be confirmed."),
  run: async ({ io, contest, options }) => {
    const reset = await resetJob(contest);
    if ("plan" in reset) return planAndAct(io, contest.desk, reset.plan, { yes: options.yes });
    if (io.json) io.printDocument(reset.outcome.document);
    else for (const line of reset.outcome.words) io.say(makePrintable(line));
    return 0;
  },
});
