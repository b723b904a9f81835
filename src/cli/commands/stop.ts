import { parseDuration } from "../../base/duration.ts";
import { collectQuietly } from "../../supervise/collect-run.ts";
import { isEnded, loadRunNow } from "../../supervise/find-runs.ts";
import { makeRunDocument } from "../../supervise/make-document.ts";
import { checkStopped, stopRun } from "../../supervise/stop-run.ts";
import { defineCommand } from "../define-command.ts";
import { sayRows } from "../say-lines.ts";
import { formatOutcome } from "../views/format-ending.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ grace?: string }>({
  describe: (c) =>
    c
      .argument("<run>", "id, name, or the unique start of either")
      .option("--grace <time>", "time between TERM and KILL (default: the run's own, 30s)"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const graceS = options.grace === undefined ? null : parseDuration(options.grace, "--grace");
      const { id, name } = await loadRunNow(desk, args[0] as string);
      const stopped = await stopRun(desk, id, { graceS });
      checkStopped(stopped);
      const collected = await collectQuietly(desk, id);
      const run = isEnded(collected.state) ? collected : stopped.run;
      if (io.json) io.printDocument({ ...makeRunDocument(run), wasEnded: stopped.wasEnded });
      else if (stopped.wasEnded) io.say(`${name} had ended before: ${run.state}. Nothing of it is left.`);
      else sayRows(io, formatOutcome(run));
      return 0;
    }),
});
