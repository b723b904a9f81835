import { loadAgents } from "../../../supervise/host/list-agents.ts";
import { loadHostConfig } from "../../../supervise/host/load-config.ts";
import { type ConfigOption, describeConfig } from "../../define-change.ts";
import { defineCommand } from "../../define-command.ts";
import { formatAgents } from "../../views/format-hosting.ts";
import { findTableWidth } from "../../views/format-table.ts";

export const command = defineCommand<ConfigOption>({
  describe: describeConfig,
  run: async ({ io, options }) => {
    const now = await loadAgents(loadHostConfig(options.config));
    if (io.json) io.printDocument(now);
    else for (const line of formatAgents(now, new Date(), findTableWidth(io))) io.say(line);
    return 0;
  },
});
