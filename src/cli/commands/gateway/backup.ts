import { formatBytes } from "../../../base/bytes.ts";
import { makePrintable } from "../../../base/printable.ts";
import { backUp } from "../../../supervise/host/back-up.ts";
import { loadHostConfig } from "../../../supervise/host/load-config.ts";
import { type ConfigOption, describeConfig } from "../../define-change.ts";
import { defineCommand } from "../../define-command.ts";
import { resolvePath } from "../../resolve-path.ts";

interface BackupOptions extends ConfigOption {
  replace?: boolean;
}

export const command = defineCommand<BackupOptions>({
  describe: (c) =>
    describeConfig(c.argument("<file>", "where to write it, readable by you alone"))
      .option("--replace", "put it in the place of an earlier one")
      .addHelpText(
        "after",
        "\nThe whole database, while the gateway runs; not the recordings.\n" +
          "To go back: stop the gateway, put the file in the place of gateway.db in the data folder, and remove\n" +
          "gateway.db-wal and gateway.db-shm there: what they hold belongs to the old file.",
      ),
  run: async ({ io, options, args: [file = ""] }) => {
    const config = loadHostConfig(options.config);
    const backup = await backUp(config, resolvePath(io, file), { replace: options.replace ?? false });
    if (io.json) io.printDocument({ backup });
    else io.say(`${makePrintable(backup.file)}: ${formatBytes(backup.bytes)}, checked.`);
    return 0;
  },
});
