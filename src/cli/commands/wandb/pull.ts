import { makePrintable } from "../../../base/printable.ts";
import { pullRun } from "../../../supervise/wandb/pull-run.ts";
import { defineCommand } from "../../define-command.ts";
import { withDesk } from "../../with-desk.ts";

export const command = defineCommand({
  describe: (c) => c.argument("<run>", "id, name, or the unique start of either"),
  run: ({ io, args }) =>
    withDesk(io, async (desk) => {
      const { run, pulled, file } = await pullRun(desk, args[0] as string);
      const { history, isCut, summary, link, ...facts } = pulled;
      if (io.json) {
        io.printDocument({ run: run.id, ...facts, link, summary, rows: history.length, isCut, file });
        return 0;
      }
      const numbers = Object.entries(summary).filter(
        ([name, value]) => !name.startsWith("_") && typeof value !== "object",
      );
      const lines = [
        `${run.name}: ${facts.state ?? "its state is not told"}, ${history.length} rows${isCut ? " (there are more)" : ""}`,
        ...(link === null ? [] : [`  W&B       ${link}`]),
        ...numbers.map(([name, value]) => `  ${name} = ${value}`),
        file === null ? "  not kept: the run is not home yet" : `  kept in   ${file}`,
      ];
      for (const line of lines) io.say(makePrintable(line));
      return 0;
    }),
});
