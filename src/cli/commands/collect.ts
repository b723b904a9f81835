import { collectRun } from "../../supervise/collect-run.ts";
import { loadRunNow } from "../../supervise/find-runs.ts";
import { makeRunDocument } from "../../supervise/make-document.ts";
import { defineCommand } from "../define-command.ts";
import { resolvePath } from "../resolve-path.ts";
import { formatMachine, seeToMachine } from "../see-to-machine.ts";
import { showTransfers } from "../show-transfer.ts";
import { formatCollection } from "../views/format-results.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ to?: string }>({
  describe: (c) =>
    c
      .argument("<run>", "id, name, or the unique start of either")
      .option("--to <folder>", "make a copy there as well, on this machine; it must not be there yet"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const { id } = await loadRunNow(desk, args[0] as string);
      const to = options.to === undefined ? undefined : resolvePath(io, options.to);
      const { onProgress, done } = showTransfers(io, "fetching");
      const run = await collectRun(desk, id, { to, onProgress }).finally(done);
      const machine = await seeToMachine(desk, run); // what kept it may have been that all was not home
      if (io.json) {
        io.printDocument({ ...makeRunDocument(run), ...(machine && { machine: machine.document }) });
        return 0;
      }
      for (const line of [...formatCollection(run, to), ...formatMachine(machine)]) io.say(line);
      return 0;
    }),
});
