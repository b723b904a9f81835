import { formatTargets } from "../../config/format-targets.ts";
import { makeTargetsDocument } from "../../config/targets-document.ts";
import { loadConfigFor } from "../../supervise/choose-target.ts";
import { defineCommand } from "../define-command.ts";

export const command = defineCommand({
  describe: (c) => c,
  run: async ({ io }) => {
    const config = await loadConfigFor(io, io.cwd);
    if (io.json) io.printDocument(makeTargetsDocument(config));
    else io.say(formatTargets(config, io.columns).trimEnd());
    return config.errors.length > 0 ? 2 : 0;
  },
});
