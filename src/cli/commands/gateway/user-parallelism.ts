import { planChangeLimit } from "../../../supervise/host/change-limit.ts";
import { defineChange } from "../../define-change.ts";

export const command = defineChange({
  describe: (c) =>
    c.argument("<email>", "whose parallelism").argument("<n>", "agents at once, or default: as configured"),
  plan: (desk, config, { args: [email = "", value = ""] }) =>
    planChangeLimit(desk, config, { email, limit: "parallelism", value }),
});
