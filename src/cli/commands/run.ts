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
    if (args.length === 0) throw new SortieError("command_missing");
    return withDesk(io, (desk) => planAndConfirm(io, desk, readWish(io, options, args), options));
  },
});
