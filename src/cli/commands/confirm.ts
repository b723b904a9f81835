import { isActionPlan } from "../../supervise/actions/action-plan.ts";
import { confirmAndShow } from "../confirm-and-show.ts";
import { defineCommand } from "../define-command.ts";
import { finishLaunch } from "../finish-launch.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ detach?: boolean; ask?: boolean }>({
  describe: (c) =>
    c
      .argument("<plan>", "the id that the plan was printed with")
      .option(
        "--detach",
        "of a run: answer once it is verified, and leave it running; a fleet: once it is launched",
      )
      .option("--ask", "ask over Feishu (mode interactive) whether to do it"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const id = args[0] as string;
      if (options.ask) {
        const { askForPlan } = await import("../ask-for-plan.ts");
        const refusal = await askForPlan(io, desk, id);
        if (refusal !== null) return refusal;
      }
      if (isActionPlan(desk, id)) {
        const { confirmAndFollow } = await import("../confirm-and-follow.ts");
        return confirmAndFollow(io, desk, id, { detach: options.detach ?? false });
      }
      const launched = await confirmAndShow(io, desk, id);
      return finishLaunch(io, desk, launched, { detach: options.detach ?? false });
    }),
});
