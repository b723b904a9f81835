import { loadHistory, loadRunNow } from "../../supervise/find-runs.ts";
import { makeRunDocument } from "../../supervise/make-document.ts";
import { withProgress } from "../../supervise/read-progress.ts";
import { defineCommand } from "../define-command.ts";
import { sayRows } from "../say-lines.ts";
import { formatRun } from "../views/format-run.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand({
  describe: (c) => c.argument("<run>", "id, name, or the unique start of either"),
  run: ({ io, args }) =>
    withDesk(io, async (desk) => {
      const run = await withProgress(desk, await loadRunNow(desk, args[0] as string));
      if (io.json) io.printDocument({ ...makeRunDocument(run), events: loadHistory(desk, run.id) });
      else sayRows(io, formatRun(run, desk.clock.now()), 13);
      return 0;
    }),
});
