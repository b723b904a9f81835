import { loadReports } from "../../../supervise/contest/load-reports.ts";
import { type ContestOptions, defineContest } from "../../define-contest.ts";
import { formatReports } from "../../views/format-contest-jobs.ts";
import { findTableWidth } from "../../views/format-table.ts";

const SHOWN = 20;

export const command = defineContest<ContestOptions & { modelName?: string; all?: boolean }>({
  describe: (c) =>
    c
      .option("--model-name <model>", "only of this model")
      .option("--all", `list every job, not just the newest ${SHOWN}`),
  run: async ({ io, contest, options: { modelName, all } }) => {
    const limit = all ? Number.POSITIVE_INFINITY : SHOWN;
    const { jobs, total, current } = await loadReports(contest, { modelName, limit });
    if (io.json) {
      io.printDocument({ jobs, total, current });
      return 0;
    }
    if (jobs.length === 0) io.say("No jobs.");
    for (const line of formatReports(jobs, { current, now: new Date(), columns: findTableWidth(io) }))
      io.say(line);
    const older = total - jobs.length;
    if (older > 0)
      io.say(`… and ${older} older ${older === 1 ? "one" : "ones"}: sortie challenge jobs --all`);
    return 0;
  },
});
