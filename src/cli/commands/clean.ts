import { parseDuration } from "../../base/duration.ts";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { quoteCommand } from "../../base/quote.ts";
import { type CleanPlan, cleanRuns, planClean } from "../../supervise/clean-runs.ts";
import { askYesNo } from "../ask.ts";
import { defineCommand } from "../define-command.ts";
import { formatClean } from "../views/format-clean.ts";
import { withDesk } from "../with-desk.ts";

interface CleanOptions {
  olderThan: string;
  lost?: string[];
  yes?: boolean;
}

export const command = defineCommand<CleanOptions>({
  describe: (c) =>
    c
      .argument("[run...]", "these runs (default: all that ended a while ago)")
      .option("--older-than <time>", "without names: runs that ended at least so long ago", "7d")
      .option(
        "--lost <run>",
        "forget a run that cannot be seen from here, since its container or host is gone; may be repeated",
        (run: string, earlier: string[] = []) => [...earlier, run],
      )
      .option("--yes", "do it without a question")
      .addHelpText(
        "after",
        "\nJob folders and records are removed; what was brought home stays.\n" +
          "Of a run with --lost the record alone goes: its processes are not looked at, its job folder stays.",
      ),
  run: ({ io, options, args: names }) =>
    withDesk(io, async (desk) => {
      const { lost = [], yes } = options;
      const olderThanS = parseDuration(options.olderThan, "--older-than");
      const plan = await planClean(desk, { names, olderThanS, lost });
      const forgotten = [...plan.runs, ...plan.lost].map((run) => run.name);
      const kept = plan.away.map((run) => run.name);
      for (const line of formatClean(plan, desk.clock.now(), io.columns)) io.say(line);
      if (forgotten.length > 0 && !yes && !(await askYesNo(io, "Forget them?", false))) {
        if (io.json)
          io.printDocument({ clean: { forget: forgotten, keep: kept }, confirm: makeConfirmation(plan) });
        if (io.isTerminal) io.say("Nothing was done.");
        else io.warn("Nothing was done. Add --yes to do it.");
        return new SortieError("confirmation_needed").exit;
      }
      const left = await cleanRuns(desk, plan);
      for (const { run, reason } of left) {
        io.warn(
          makePrintable(`The job folder of ${run.name} stays: ${run.jobFolder} on ${run.host}. ${reason}`),
        );
      }
      const leftFolders = left.map(({ run }) => ({ run: run.id, host: run.host, folder: run.jobFolder }));
      if (io.json) io.printDocument({ forgotten, kept, leftFolders });
      else io.say(forgotten.length === 0 ? "Nothing to forget." : `${forgotten.length} forgotten.`);
      return 0;
    }),
});

/** Exactly the runs that were shown, by their ids: a name may be another run's by then. */
function makeConfirmation({ runs, lost }: CleanPlan): string {
  const flags = lost.flatMap((run) => ["--lost", run.id]);
  return quoteCommand(["sortie", "clean", ...runs.map((run) => run.id), ...flags, "--yes"]);
}
