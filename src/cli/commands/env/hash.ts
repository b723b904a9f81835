import { hashFile } from "../../../supervise/environment/hash-file.ts";
import { defineCommand } from "../../define-command.ts";
import { resolvePath } from "../../resolve-path.ts";

export const command = defineCommand({
  describe: (c) => c.argument("<file>", "a YAML or JSON file, read as Python's yaml.safe_load reads it"),
  run: async ({ io, args: [file = ""] }) => {
    const { hash, canonical, warnings } = hashFile(resolvePath(io, file));
    for (const warning of warnings) io.warn(`warning: ${warning}`);
    if (io.json) io.printDocument({ hash, canonical, warnings });
    else io.say(hash);
    return 0;
  },
});
