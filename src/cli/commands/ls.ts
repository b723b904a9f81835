import { loadRuns, loadSummaries } from "../../supervise/find-runs.ts";
import { makeRunDocument } from "../../supervise/make-document.ts";
import { defineCommand } from "../define-command.ts";
import { keepWhatFits } from "../views/fit-runs.ts";
import { formatRuns } from "../views/format-runs.ts";
import { withDesk } from "../with-desk.ts";

const SHOWN = 30;
/** The header, the line that tells how many more there are, and the next prompt. */
const OTHER_LINES = 3;

export const command = defineCommand<{ all?: boolean }>({
  describe: (c) =>
    c.option(
      "--all",
      `list every run, not just the live ones and the newest ${SHOWN}, fewer on a small terminal`,
    ),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      if (io.json) {
        io.printDocument({ runs: (await loadRuns(desk)).map(makeRunDocument) });
        return 0;
      }
      const limit = options.all ? Number.MAX_SAFE_INTEGER : SHOWN;
      const { runs: loaded, total } = await loadSummaries(desk, limit);
      const runs = options.all
        ? loaded
        : keepWhatFits(loaded, (io.rows ?? SHOWN + OTHER_LINES) - OTHER_LINES);
      if (runs.length === 0) io.say("No runs. Start one: sortie run -- python train.py");
      for (const line of formatRuns(runs, desk.clock.now(), io.columns)) io.say(line);
      if (runs.length < total) io.say(`… and ${total - runs.length} older ones: sortie ls --all`);
      return 0;
    }),
});
