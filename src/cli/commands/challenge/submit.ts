import { SortieError } from "../../../base/error.ts";
import { planSubmission } from "../../../supervise/contest/submit-job.ts";
import { type ContestOptions, defineContest } from "../../define-contest.ts";
import { describeFleetOptions, type FleetOptions, readFleetWish } from "../../fleet-flags.ts";
import { planAndAct } from "../../plan-and-act.ts";
import { describeSubmission, readSubmission, type SubmissionOptions } from "../../submission-flags.ts";
import { submitAndLaunch } from "../../submit-and-launch.ts";

interface SubmitOptions extends ContestOptions, SubmissionOptions, FleetOptions {
  launch?: boolean;
}

const CALL = "sortie challenge submit";

export const command = defineContest<SubmitOptions>({
  describe: (c) =>
    describeFleetOptions(
      describeSubmission(c).option("--launch", "launch its agents too, in the same plan, and watch them"),
    ),
  run: async ({ io, contest, options }) => {
    if (options.launch) {
      const fleet = { ...readFleetWish(io, options, CALL), baseUrl: contest.session.baseUrl };
      return submitAndLaunch(io, contest, { submission: readSubmission(options), fleet }, options);
    }
    refuseFleetOptions(options);
    const plan = await planSubmission(contest, readSubmission(options));
    return planAndAct(io, contest.desk, plan, { yes: options.yes });
  },
});

function refuseFleetOptions({
  target,
  agents,
  handler,
  runner,
  python,
  stagger,
  gpu,
  gpus,
  detach,
}: FleetOptions): void {
  if (
    [target, agents, handler, runner, python, stagger, gpu, gpus, detach].every(
      (given) => given === undefined,
    )
  )
    return;
  const problem = "What is said of agents needs --launch: without it none is launched.";
  throw new SortieError("usage", { problem, command: CALL });
}
