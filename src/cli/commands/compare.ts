import { Option } from "commander";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { compareRunsOf, type ValueKind } from "../../supervise/metrics/compare.ts";
import { addWord } from "../add-word.ts";
import { defineCommand } from "../define-command.ts";
import { sayLines } from "../say-lines.ts";
import { findTableWidth, formatTable } from "../views/format-table.ts";
import { withDesk } from "../with-desk.ts";

interface CompareOptions {
  baseline?: string;
  metric?: string[];
  value: ValueKind;
  md?: boolean;
  csv?: boolean;
}

export const command = defineCommand<CompareOptions>({
  describe: (c) =>
    c
      .argument("<runs...>", "ids, names, or the unique starts of either")
      .option("--baseline <run>", "the run that the others are measured by")
      .option("--metric <name>", "this metric alone; may be repeated", addWord)
      .addOption(
        new Option("--value <which>", "which value of a run counts")
          .choices(["last", "min", "max"])
          .default("last"),
      )
      .option("--md", "print a table in Markdown")
      .option("--csv", "print CSV with all digits"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      refuseTwoForms([io.json, options.md, options.csv]);
      const { baseline = null, metric: metrics = [], value } = options;
      const comparison = await compareRunsOf(desk, { runs: args, baseline, metrics, value });
      for (const note of comparison.notes) io.warn(makePrintable(`note: ${note}`));
      if (io.json) io.write(comparison.makeJson());
      else if (options.md) io.write(comparison.makeMarkdown());
      else if (options.csv) io.write(comparison.makeCsv());
      else {
        const { columns, rows } = comparison.table;
        const shown = columns.map(({ title, align }, place) => ({
          heading: title.toUpperCase(),
          show: (row: readonly string[]) => row[place] ?? "",
          isNumber: align === "right",
        }));
        for (const line of formatTable(rows, shown, findTableWidth(io))) io.say(line);
        if (comparison.differences.length > 0) io.say();
        sayLines(io, comparison.differences);
      }
      return 0;
    }),
});

function refuseTwoForms(forms: readonly (boolean | undefined)[]): void {
  if (forms.filter(Boolean).length < 2) return;
  const problem = "Of --json, --md and --csv only one can be printed.";
  throw new SortieError("usage", { problem, command: "sortie compare" });
}
