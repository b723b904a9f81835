import { planRequeue } from "../../../supervise/host/requeue-cases.ts";
import { defineChange } from "../../define-change.ts";

export const command = defineChange({
  describe: (c) =>
    c.argument(
      "<what>",
      "a case, as in c12, or a job, by number or uuid: its cases that failed, else those without a score",
    ),
  plan: (desk, config, { args: [what = ""] }) => planRequeue(desk, config, what),
});
