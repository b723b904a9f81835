import { loadGpusNow } from "../../supervise/load-gpus.ts";
import { defineCommand } from "../define-command.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ target?: string }>({
  describe: (c) =>
    c.option(
      "--target <name>",
      "on this target's host: a section's name or an SSH alias (default: this machine)",
    ),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      const { document, lines } = await loadGpusNow(desk, { cwd: io.cwd, wanted: options.target ?? "local" });
      if (io.json) io.printDocument(document);
      else for (const line of lines) io.say(line);
      return 0;
    }),
});
