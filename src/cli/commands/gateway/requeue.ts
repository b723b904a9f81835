import { planRequeue } from "../../../supervise/host/requeue-cases.ts";
import { defineChange } from "../../define-change.ts";

export const command = defineChange({
  describe: (c) =>
    c.argument("<what>", "a case, as in c12, or a job, by number or uuid: all of its cases that failed"),
  plan: (desk, config, { args: [what = ""] }) => planRequeue(desk, config, what),
});
