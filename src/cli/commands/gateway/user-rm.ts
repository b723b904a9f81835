import { planRemoveUser } from "../../../supervise/host/remove-user.ts";
import { defineChange } from "../../define-change.ts";

export const command = defineChange({
  describe: (c) => c.argument("<email>", "who"),
  plan: (desk, config, { args: [email = ""] }) => planRemoveUser(desk, config, email),
});
