import { statSync } from "node:fs";
import { SortieError } from "../../base/error.ts";
import { adoptRuns, adoptRunsOn } from "../../supervise/adopt-runs.ts";
import type { Desk } from "../../supervise/desk.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { resolvePath } from "../resolve-path.ts";
import { withDesk } from "../with-desk.ts";

interface Options {
  target?: string;
  jobDir?: string;
}

export const command = defineCommand<Options>({
  describe: (c) =>
    c
      .option(
        "--target <name>",
        "on this target's host: a section's name or an SSH alias (default: this machine)",
      )
      .option("--job-dir <folder>", "where the job folders lie (default: in Sortie's home folder there)"),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      const { adopted, skipped } = await adopt(io, desk, options);
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

function adopt(io: Io, desk: Desk, { target, jobDir }: Options) {
  if (target !== undefined) return adoptRunsOn(desk, { cwd: io.cwd, wanted: target }, jobDir ?? null);
  return adoptRuns(desk, jobDir === undefined ? undefined : findFolder(io, jobDir));
}

function findFolder(io: Io, given: string): string {
  const path = resolvePath(io, given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const [what, reason] = ["--job-dir", "there is no such folder"];
  const advice = "Name the folder that holds the job folders: the `jobs` of a home of Sortie, as a rule.";
  throw new SortieError("value_bad", { what, value: path, reason, advice });
}
