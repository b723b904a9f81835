import { SortieError } from "../../../base/error.ts";
import { planDestroy } from "../../../supervise/rent/plan-destroy.ts";
import { defineCommand } from "../../define-command.ts";
import { planAndAct } from "../../plan-and-act.ts";
import { withDesk } from "../../with-desk.ts";

export const command = defineCommand<{ force?: boolean }>({
  describe: (c) =>
    c
      .argument("<instance>", "its number, as `sortie vast ls` shows it")
      .option("--force", "without a question, whatever is lost with it"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) =>
      planAndAct(io, desk, planDestroy(desk, readNumber(args[0] as string)), {
        yes: options.force ?? false,
        flag: "--force",
      }),
    ),
});

function readNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new SortieError("value_bad", {
    ...{ what: "The instance", value: `"${text}"`, reason: "it is not a number" },
    advice: "See `sortie vast ls`.",
  });
}
