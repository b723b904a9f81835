import { loadSimulators } from "../../../supervise/host/list-simulators.ts";
import { loadHostConfig } from "../../../supervise/host/load-config.ts";
import { type ConfigOption, describeConfig } from "../../define-change.ts";
import { defineCommand } from "../../define-command.ts";
import { formatSimulators } from "../../views/format-hosting.ts";
import { findTableWidth } from "../../views/format-table.ts";

export const command = defineCommand<ConfigOption>({
  describe: describeConfig,
  run: async ({ io, options }) => {
    const simulators = await loadSimulators(loadHostConfig(options.config));
    if (io.json) io.printDocument({ simulators });
    else if (simulators.length === 0) io.say("No keys. Make one: sortie gateway simulator add BOARD");
    else for (const line of formatSimulators(simulators, new Date(), findTableWidth(io))) io.say(line);
    return 0;
  },
});
