import { SortieError } from "../../base/error.ts";
import { COMPLETION_SCRIPTS } from "../completion-scripts.ts";
import { defineCommand } from "../define-command.ts";

export const command = defineCommand({
  describe: (c) => c.argument("<shell>", "bash, zsh or fish"),
  run: async ({ io, args }) => {
    const [shell = ""] = args;
    const script = Object.hasOwn(COMPLETION_SCRIPTS, shell) ? COMPLETION_SCRIPTS[shell] : undefined;
    if (script === undefined) {
      const advice = "Choose bash, zsh or fish.";
      throw new SortieError("value_bad", {
        what: "The shell",
        value: shell,
        reason: "there is no script for it",
        advice,
      });
    }
    io.write(script);
    return 0;
  },
});
