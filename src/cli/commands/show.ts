import { loadHistory, loadRunNow } from "../../supervise/find-runs.ts";
import { makeRunDocument } from "../../supervise/make-document.ts";
import { withProgress } from "../../supervise/read-progress.ts";
import { hasForwarded } from "../../supervise/wandb/find-offline-runs.ts";
import { isAllSent, learnEntity } from "../../supervise/wandb/learn-entity.ts";
import { addWord } from "../add-word.ts";
import { defineCommand } from "../define-command.ts";
import { isPlainLocale } from "../plain-locale.ts";
import { sayRows } from "../say-lines.ts";
import { formatMachine, lookAtMachine } from "../see-to-machine.ts";
import { formatRun } from "../views/format-run.ts";
import { withDesk } from "../with-desk.ts";

interface ShowOptions {
  metric?: string[];
  charts: boolean;
}

export const command = defineCommand<ShowOptions>({
  describe: (c) =>
    c
      .argument("<run>", "id, name, or the unique start of either")
      .option("--metric <name>", "draw this metric, as it is told in --json; may be repeated", addWord)
      .option("--no-charts", "draw no metrics"),
  run: ({ io, args, options }) =>
    withDesk(io, async (desk) => {
      const found = await learnEntity(desk, await loadRunNow(desk, args[0] as string));
      const run = await withProgress(desk, found);
      const { describeMetrics, drawMetrics } = await import("../../supervise/metrics/show-metrics.ts");
      const wanted = options.metric ?? [];
      const machine = await lookAtMachine(desk, run);
      if (io.json) {
        const { metrics, metricNotes } = await describeMetrics(desk, run, wanted);
        io.printDocument({
          ...makeRunDocument(run),
          ...(machine && { machine: machine.document }),
          metrics,
          metricNotes,
          events: loadHistory(desk, run.id),
        });
        return 0;
      }
      const wish = { metrics: wanted, width: io.columns, isPlain: isPlainLocale(io.env) };
      const charts = options.charts ? await drawMetrics(desk, run, wish) : [];
      sayRows(
        io,
        [
          ...formatRun(run, desk.clock.now(), {
            isSent: isAllSent(desk, run),
            isForwarded: hasForwarded(desk, run),
          }),
          ...formatMachine(machine, 11),
        ],
        13,
      );
      for (const line of charts) io.say(line);
      return 0;
    }),
});
