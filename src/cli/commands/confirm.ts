import { confirmPlan } from "../../supervise/confirm-plan.ts";
import { defineCommand } from "../define-command.ts";
import { finishLaunch } from "../finish-launch.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ detach?: boolean }>({
  describe: (c) =>
    c
      .argument("<plan>", "the id that the plan was printed with")
      .option("--detach", "answer once the run is verified, and leave it running"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const launched = await confirmPlan(desk, args[0] as string);
      return finishLaunch(io, desk, launched, { detach: options.detach ?? false });
    }),
});
