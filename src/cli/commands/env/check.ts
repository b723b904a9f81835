import { defineCommand } from "../../define-command.ts";
import { lookAtTarget } from "../../look-at-target.ts";
import { sayRows } from "../../say-lines.ts";
import { formatSight } from "../../views/format-environment.ts";
import { warnNote } from "../../warn-note.ts";
import { withDesk } from "../../with-desk.ts";
import { describeEnvironment, type TargetOptions } from "./build.ts";

export const command = defineCommand<TargetOptions>({
  describe: (c) =>
    describeEnvironment(c).addHelpText(
      "after",
      "\nChanges nothing. Exit code 0: nothing is due; 1: something is.",
    ),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const sight = await lookAtTarget(io, desk, {
        target: options.target,
        wanted: args[0],
        asksGpus: false,
      });
      if (typeof sight === "number") return sight;
      const { document, lines, isTrusted } = formatSight(sight);
      for (const warning of sight.contract.warnings) warnNote(io, warning);
      if (io.json) io.printDocument(document);
      else sayRows(io, lines);
      return isTrusted ? 0 : 1;
    }),
});
