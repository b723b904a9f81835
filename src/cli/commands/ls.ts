import type { Desk } from "../../supervise/desk.ts";
import { loadRuns, loadSummaries, type RunList, type RunSummary } from "../../supervise/find-runs.ts";
import { makeRunDocument } from "../../supervise/make-document.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { keepWhatFits } from "../views/fit-runs.ts";
import { formatRuns } from "../views/format-runs.ts";
import { formatSilences } from "../views/format-silence.ts";
import { findTableWidth } from "../views/format-table.ts";
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
      const list = await loadSummaries(desk, limit);
      const runs = options.all
        ? list.runs
        : keepWhatFits(list.runs, (io.rows ?? SHOWN + OTHER_LINES) - OTHER_LINES);
      if (runs.length === 0) io.say("No runs. Start one: sortie run -- python train.py");
      else await sayRuns(io, desk, runs, list);
      if (runs.length < list.total) io.say(`… and ${list.total - runs.length} older ones: sortie ls --all`);
      return 0;
    }),
});

/** Those of hosts that take their time come below the others, which are not kept waiting for them. */
async function sayRuns(io: Io, desk: Desk, runs: readonly RunSummary[], list: RunList): Promise<void> {
  const { late } = list;
  const format = (shown: readonly RunSummary[], isWanted: (run: RunSummary) => boolean) => {
    const [header = "", ...rows] = formatRuns(shown, desk.clock.now(), io.columns);
    return [header, ...rows.filter((_, place) => isWanted(shown[place] as RunSummary))];
  };
  // Room for what those may come to say.
  const drafts = runs.map((run) => (late.has(run.id) ? { ...run, reachable: false } : run));
  for (const line of format(drafts, ({ id }) => !late.has(id))) io.say(line);
  const newest = new Map((await list.loadSettled()).map((run) => [run.id, run]));
  const settled = runs.map((run) => newest.get(run.id) ?? run);
  for (const line of format(settled, ({ id }) => late.has(id)).slice(1)) io.say(line);
  for (const line of formatSilences(settled, desk.clock.now(), findTableWidth(io))) io.say(line);
}
