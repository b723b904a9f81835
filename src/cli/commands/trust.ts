import { listUntrustedOf, trustLines } from "../../supervise/trust-project.ts";
import { defineCommand } from "../define-command.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ target?: string }>({
  describe: (c) =>
    c
      .option("--target <name>", "only what this target needs (default: all targets of the project)")
      .addHelpText("after", "\nTrust holds for these very lines: when one changes, it is asked for again."),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      const untrusted = await listUntrustedOf(desk, { cwd: io.cwd, wanted: options.target ?? null });
      for (const { line, text } of untrusted.lines) io.say(`  ${untrusted.file}:${line}: ${text}`);
      trustLines(desk, untrusted);
      if (io.json) io.printDocument({ trusted: untrusted });
      else io.say(untrusted.lines.length === 0 ? "Nothing here needs trust." : "Trusted.");
      return 0;
    }),
});
