import { makePrintable } from "../../base/printable.ts";
import { plotRuns } from "../../supervise/metrics/plot.ts";
import { addWord } from "../add-word.ts";
import { defineCommand } from "../define-command.ts";
import { withDesk } from "../with-desk.ts";

interface PlotOptions {
  metric?: string[];
  out?: string;
}

export const command = defineCommand<PlotOptions>({
  describe: (c) =>
    c
      .argument("<runs...>", "ids, names, or the unique starts of either")
      .option(
        "--metric <name>",
        "a panel for this metric; may be repeated (default: the most telling ones)",
        addWord,
      )
      .option(
        "--out <file>",
        "where the picture goes, FILE.svg or FILE.png (default: RUN.svg, never over another file)",
      ),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const { metric: metrics = [], out = null } = options;
      const plot = await plotRuns(desk, { runs: args, metrics, out, cwd: io.cwd });
      for (const note of plot.notes) io.warn(makePrintable(`note: ${note}`));
      if (io.json) io.printDocument({ file: plot.file, metrics: plot.metrics });
      else io.say(makePrintable(`${plot.file}: ${plot.metrics.join(", ")}`));
      return 0;
    }),
});
