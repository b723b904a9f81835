import { findContestJob } from "../../../supervise/contest/find-contest-job.ts";
import { loadReportOf } from "../../../supervise/contest/load-report.ts";
import { defineContest, describeJob } from "../../define-contest.ts";
import { formatReport } from "../../views/format-contest-jobs.ts";

export const command = defineContest({
  describe: describeJob,
  run: async ({ io, contest, args: [wanted] }) => {
    const report = await loadReportOf(contest, await findContestJob(contest, wanted));
    if (io.json) io.printDocument({ job: report });
    else for (const line of formatReport(report, new Date(), io.columns)) io.say(line);
    return 0;
  },
});
