import { makePrintable } from "../../../base/printable.ts";
import { type SyncedRun, syncRuns } from "../../../supervise/wandb/sync-runs.ts";
import { defineCommand } from "../../define-command.ts";
import { withDesk } from "../../with-desk.ts";

const WORDS = { sent: "sent", sent_before: "sent before", failed: "failed" };

export const command = defineCommand({
  describe: (c) => c.argument("[runs...]", "ids or names (default: all that left an offline run)"),
  run: ({ io, args }) =>
    withDesk(io, async (desk) => {
      const onDone = (synced: SyncedRun) => io.say(makePrintable(describe(synced)));
      const runs = await syncRuns(desk, args, io.json ? {} : { onDone });
      if (io.json) io.printDocument({ runs });
      else if (runs.length === 0) io.say("There is nothing to send.");
      return runs.some(({ state }) => state === "failed") ? 1 : 0;
    }),
});

function describe({ run, state, reason, folder }: SyncedRun): string {
  const why = reason === null ? "" : `: ${reason}`;
  return `${run}  ${WORDS[state]}${why}${folder === null ? "" : `  ${folder}`}`;
}
