import { loadRunNow } from "../../supervise/find-runs.ts";
import { makeRerunWish } from "../../supervise/plan-rerun.ts";
import { defineCommand } from "../define-command.ts";
import { planAndConfirm } from "../plan-and-confirm.ts";
import { describeRunOptions, type RunOptions, readWish } from "../run-flags.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<RunOptions>({
  describe: (c) =>
    describeRunOptions(c.argument("<run>", "the earlier run: id, name, or the unique start of either")),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const run = await loadRunNow(desk, args[0] as string);
      const wish = readWish(
        io,
        { ...options, cwd: options.cwd ?? run.request.configFrom ?? run.request.cwd },
        [],
      );
      return planAndConfirm(io, desk, makeRerunWish(run, wish, io.env), options);
    }),
});
