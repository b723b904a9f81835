import { SortieError } from "../../../base/error.ts";
import { draftEnvironment, writeEnvironment } from "../../../supervise/environment/draft-environment.ts";
import { askYesNo } from "../../ask.ts";
import { defineCommand } from "../../define-command.ts";

export const command = defineCommand<{ yes?: boolean }>({
  describe: (c) =>
    c
      .argument("[name]", "the environment's name (default: the folder's, in env-spec.yaml)")
      .option("--yes", "write it without a question")
      .addHelpText("after", "\nReads requirements.txt, pyproject.toml and environment.yml of this folder."),
  run: async ({ io, options, args }) => {
    const draft = draftEnvironment(io.cwd, args[0] ?? null);
    const document = {
      name: draft.name,
      file: draft.file,
      spec: draft.text,
      from: draft.from,
      warnings: draft.warnings,
    };
    io.say(`A new file ${draft.file}:\n`);
    for (const line of draft.text.trimEnd().split("\n")) io.say(line === "" ? "" : `  ${line}`);
    for (const warning of draft.warnings) io.warn(`warning: ${warning}`);
    if (!options.yes && !(await askYesNo(io, "Write it?", true))) {
      if (io.json)
        io.printDocument({ ...document, confirm: `sortie env init${args[0] ? ` ${args[0]}` : ""} --yes` });
      if (io.isTerminal) io.say("Not written.");
      else io.warn("Nothing was written. Add --yes to write it.");
      return new SortieError("confirmation_needed").exit;
    }
    writeEnvironment(draft);
    if (io.json) io.printDocument(document);
    else io.say("\nWritten. `sortie env build` builds it.");
    return 0;
  },
});
