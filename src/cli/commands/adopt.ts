import { adoptRuns } from "../../supervise/adopt-runs.ts";
import { defineCommand } from "../define-command.ts";
import { resolvePath } from "../resolve-path.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ jobDir?: string }>({
  describe: (c) =>
    c.option("--job-dir <folder>", "where the job folders lie (default: in Sortie's home folder)"),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      const folder = options.jobDir === undefined ? undefined : resolvePath(io, options.jobDir);
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
