import { readFileSync } from "node:fs";
import { SortieError } from "../../base/error.ts";
import { defineCommand } from "../define-command.ts";
import { planAndConfirm } from "../plan-and-confirm.ts";
import { describeRunOptions, type RunOptions, readWish } from "../run-flags.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<RunOptions>({
  describe: (c) =>
    describeRunOptions(c.argument("[command...]", "the program and its arguments, behind --"))
      .passThroughOptions()
      .addHelpText("after", "\nExample: sortie run --gpus 1 --name first -- python train.py --lr 0.1"),
  run: ({ io, options, args }) => {
    if (!args[0]) throw new SortieError("command_missing");
    refuseDamaged(args);
    return withDesk(io, (desk) => planAndConfirm(io, desk, readWish(io, options, args), options));
  },
});

/** Node hands on arguments that are not UTF-8 with their bytes replaced: the program would get others than were typed. */
function refuseDamaged(args: readonly string[]): void {
  const damaged = args.find((argument) => argument.includes("\ufffd"));
  if (damaged === undefined || isTyped(damaged)) return;
  throw new SortieError("value_bad", {
    what: "An argument",
    value: JSON.stringify(damaged),
    reason: "its bytes are not UTF-8",
    advice: "Put it into a script, and run that.",
  });
}

/** Whether the very character was typed. Where the bytes cannot be looked at (macOS), it is believed. */
function isTyped(argument: string): boolean {
  try {
    return readFileSync("/proc/self/cmdline").includes(argument);
  } catch {
    return true; // no /proc on this system
  }
}
