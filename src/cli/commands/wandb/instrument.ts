import { SortieError } from "../../../base/error.ts";
import { makePrintable } from "../../../base/printable.ts";
import { quoteCommand } from "../../../base/quote.ts";
import { draftEdit, type ScriptEdit } from "../../../supervise/wandb/edit-script.ts";
import { askYesNo } from "../../ask.ts";
import { defineCommand } from "../../define-command.ts";
import type { Io } from "../../io.ts";
import { formatDiff } from "../../views/format-diff.ts";

export const command = defineCommand<{ remove?: boolean; yes?: boolean }>({
  describe: (c) =>
    c
      .argument("<script>", "a Python script that trains")
      .option("--remove", "take out what was written into it")
      .option("--yes", "write it without a question"),
  run: async ({ io, options, args }) => {
    const [script = ""] = args;
    const edit = await draftEdit(io.cwd, script, { isRemoval: options.remove ?? false });
    if (edit.done !== null)
      return report(io, edit, { isWritten: false, words: `${edit.file} stays: ${edit.done}.` });
    for (const line of describeEdit(edit)) io.say(makePrintable(line));
    if (!options.yes && !(await askYesNo(io, "Write it?", true))) {
      const call = [
        "sortie",
        "wandb",
        "instrument",
        script,
        ...(options.remove ? ["--remove"] : []),
        "--yes",
      ];
      if (io.json) io.printDocument({ ...makeDocument(edit, false), confirm: quoteCommand(call) });
      if (io.isTerminal) io.say("Not written.");
      else io.warn(makePrintable(`Nothing was written. To write it: ${quoteCommand(call)}`));
      return new SortieError("confirmation_needed").exit;
    }
    edit.write();
    return report(io, edit, { isWritten: true, words: "Written." });
  },
});

function describeEdit({ terms }: ScriptEdit): string[] {
  if (terms === null) return [];
  const { diff, metrics, missing, name, added, removed } = terms;
  return [
    `${name}: +${added} -${removed} lines`,
    ...(metrics.length > 0 ? [`  logs      ${metrics.join(", ")}`] : []),
    ...(missing.length > 0 ? [`  has not   ${missing.join(", ")}`] : []),
    ...formatDiff(diff),
  ];
}

function report(
  io: Io,
  edit: ScriptEdit,
  { isWritten, words }: { isWritten: boolean; words: string },
): number {
  if (io.json) io.printDocument(makeDocument(edit, isWritten));
  else io.say(makePrintable(words));
  return 0;
}

function makeDocument({ file, done, terms }: ScriptEdit, isWritten: boolean): object {
  const { added = 0, removed = 0, metrics = [], missing = [], diff = "" } = terms ?? {};
  return { file, written: isWritten, reason: done, added, removed, metrics, missing, diff };
}
