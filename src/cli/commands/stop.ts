import { parseDuration } from "../../base/duration.ts";
import { collectQuietly } from "../../supervise/collect-run.ts";
import type { Desk } from "../../supervise/desk.ts";
import { isEnded, loadRunNow, type RunRecord } from "../../supervise/find-runs.ts";
import { makeRunDocument } from "../../supervise/make-document.ts";
import { checkStopped, stopRun } from "../../supervise/stop-run.ts";
import { defineCommand } from "../define-command.ts";
import { sayRows } from "../say-lines.ts";
import { formatMachine, lookAtMachine, seeToMachine } from "../see-to-machine.ts";
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
      const machine = await seeToStopped(desk, run);
      if (io.json)
        io.printDocument({
          ...makeRunDocument(run),
          wasEnded: stopped.wasEnded,
          ...(machine && { machine: machine.document }),
        });
      else if (stopped.wasEnded) io.say(`${name} had ended before: ${run.state}. Nothing of it is left.`);
      else sayRows(io, [...formatOutcome(run), ...formatMachine(machine)]);
      return 0;
    }),
});

/** One that is still being rented is given up by whoever rents it. */
function seeToStopped(desk: Desk, run: RunRecord) {
  return run.remote ? seeToMachine(desk, run) : lookAtMachine(desk, run);
}
