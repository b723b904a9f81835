import { loadUsers } from "../../../supervise/host/list-users.ts";
import { loadHostConfig } from "../../../supervise/host/load-config.ts";
import { type ConfigOption, describeConfig } from "../../define-change.ts";
import { defineCommand } from "../../define-command.ts";
import { formatUsers } from "../../views/format-hosting.ts";
import { findTableWidth } from "../../views/format-table.ts";

export const command = defineCommand<ConfigOption>({
  describe: describeConfig,
  run: async ({ io, options }) => {
    const config = loadHostConfig(options.config);
    const users = await loadUsers(config);
    if (io.json) io.printDocument({ users });
    else if (users.length === 0) io.say("No users. Add one: sortie gateway user add EMAIL");
    else for (const line of formatUsers(users, config, findTableWidth(io))) io.say(line);
    return 0;
  },
});
