import { defineEnvironment } from "../../define-environment.ts";
import { sayRows } from "../../say-lines.ts";
import { formatSight } from "../../views/format-environment.ts";
import { warnNote } from "../../warn-note.ts";

export const command = defineEnvironment({
  describe: (c) => c.addHelpText("after", "\nChanges nothing. Exit code 0: nothing is due; 1: something is."),
  asksGpus: () => false,
  run: async ({ io, sight }) => {
    const { document, lines, isTrusted } = formatSight(sight);
    for (const warning of sight.contract.warnings) warnNote(io, warning);
    if (io.json) io.printDocument(document);
    else sayRows(io, lines);
    return isTrusted ? 0 : 1;
  },
});
