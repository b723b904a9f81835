import { statSync } from "node:fs";
import { SortieError } from "../../base/error.ts";
import { adoptRuns } from "../../supervise/adopt-runs.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { resolvePath } from "../resolve-path.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ jobDir?: string }>({
  describe: (c) =>
    c.option("--job-dir <folder>", "where the job folders lie (default: in Sortie's home folder)"),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      const folder = options.jobDir === undefined ? undefined : findFolder(io, options.jobDir);
      const { adopted, skipped } = await adoptRuns(desk, folder);
      if (io.json) {
        io.printDocument({ adopted, skipped });
        return 0;
      }
      for (const run of adopted) io.say(`  adopted ${run.name} (${run.id})`);
      for (const { folder, reason } of skipped) io.say(`  left    ${folder}: ${reason}`);
      io.say(
        adopted.length === 0
          ? "No run was found that is not known."
          : `${adopted.length} taken up; \`sortie ls\` shows them.`,
      );
      return 0;
    }),
});

function findFolder(io: Io, given: string): string {
  const path = resolvePath(io, given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const [what, reason] = ["--job-dir", "there is no such folder"];
  const advice = "Name the folder that holds the job folders: the `jobs` of a home of Sortie, as a rule.";
  throw new SortieError("value_bad", { what, value: path, reason, advice });
}
