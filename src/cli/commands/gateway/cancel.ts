import { planCancelJob } from "../../../supervise/host/cancel-job.ts";
import { defineChange } from "../../define-change.ts";

export const command = defineChange({
  describe: (c) => c.argument("<job>", "number or uuid"),
  plan: (desk, config, { args: [job = ""] }) => planCancelJob(desk, config, job),
});
