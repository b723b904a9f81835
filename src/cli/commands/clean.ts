import { parseDuration } from "../../base/duration.ts";
import { SortieError } from "../../base/error.ts";
import { cleanRuns, planClean } from "../../supervise/clean-runs.ts";
import { askYesNo } from "../ask.ts";
import { defineCommand } from "../define-command.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ olderThan: string; yes?: boolean }>({
  describe: (c) =>
    c
      .argument("[run...]", "these runs (default: all that ended a while ago)")
      .option("--older-than <time>", "without names: runs that ended at least so long ago", "7d")
      .option("--yes", "do it without a question")
      .addHelpText("after", "\nJob folders and records are removed; what was brought home stays."),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const { runs, away } = await planClean(desk, args, parseDuration(options.olderThan, "--older-than"));
      const names = runs.map((run) => run.name);
      for (const run of runs)
        io.say(`  forget ${run.name}, ${run.state}, and its job folder ${run.jobFolder}`);
      for (const run of away)
        io.say(`  keep   ${run.name}: not brought home yet (sortie collect ${run.name})`);
      if (runs.length > 0 && !options.yes && !(await askYesNo(io, "Forget them?", false))) {
        if (io.json)
          io.printDocument({
            clean: { forget: names, keep: away.map((run) => run.name) },
            confirm: "sortie clean --yes",
          });
        io.warn("Nothing was done. Add --yes to do it.");
        return new SortieError("confirmation_needed").exit;
      }
      cleanRuns(desk, runs);
      if (io.json) io.printDocument({ forgotten: names, kept: away.map((run) => run.name) });
      else io.say(runs.length === 0 ? "Nothing to forget." : `${runs.length} forgotten.`);
      return 0;
    }),
});
