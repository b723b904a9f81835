import { findContestJob } from "../../../supervise/contest/find-contest-job.ts";
import { loadFailure } from "../../../supervise/contest/load-failure.ts";
import { defineContest, describeJob } from "../../define-contest.ts";
import { formatFailure } from "../../views/format-failure.ts";

export const command = defineContest({
  describe: (c) =>
    describeJob(c).addHelpText("after", "\nOf the case that failed last: what ended it, and its last lines."),
  run: async ({ io, contest, args: [wanted] }) => {
    const job = await findContestJob(contest, wanted);
    const failure = await loadFailure(contest, job);
    if (io.json) io.printDocument({ job: job.id, failure });
    else for (const line of formatFailure(job.id, failure, io.columns)) io.say(line);
    return 0;
  },
});
