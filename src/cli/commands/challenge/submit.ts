import { planSubmission } from "../../../supervise/contest/submit-job.ts";
import { type ContestOptions, defineContest } from "../../define-contest.ts";
import { planAndAct } from "../../plan-and-act.ts";
import { describeSubmission, readSubmission, type SubmissionOptions } from "../../submission-flags.ts";

interface SubmitOptions extends ContestOptions, SubmissionOptions {
  yes?: boolean;
}

export const command = defineContest<SubmitOptions>({
  describe: (c) => describeSubmission(c).option("--yes", "confirm the plan without a question"),
  run: async ({ io, contest, options }) => {
    const plan = await planSubmission(contest, readSubmission(options));
    return planAndAct(io, contest.desk, plan, { yes: options.yes });
  },
});
