import { type ContestOptions, defineContest } from "../../define-contest.ts";
import { ensureLogin } from "../../ensure-login.ts";
import { describeFleetOptions, type FleetOptions, readFleetWish } from "../../fleet-flags.ts";
import { describeSubmission, readSubmission, type SubmissionOptions } from "../../submission-flags.ts";
import { submitAndLaunch } from "../../submit-and-launch.ts";

interface GoOptions extends ContestOptions, SubmissionOptions, FleetOptions {}

export const command = defineContest<GoOptions>({
  describe: (c) =>
    describeFleetOptions(describeSubmission(c)).addHelpText(
      "after",
      "\nLogin, quota, submission, launch, watching and scores in one: asked for once, up front.",
    ),
  run: async ({ io, contest, options }) => {
    const fleet = { ...readFleetWish(io, options, "sortie challenge go"), baseUrl: contest.session.baseUrl };
    const submission = readSubmission(options);
    await ensureLogin(io, contest);
    return submitAndLaunch(io, contest, { submission, fleet }, options);
  },
});
