import { planRemoveSimulator } from "../../../supervise/host/remove-simulator.ts";
import { defineChange } from "../../define-change.ts";

export const command = defineChange({
  describe: (c) => c.argument("<key>", "its number, as `simulator ls` shows it"),
  plan: (desk, config, { args: [id = ""] }) => planRemoveSimulator(desk, config, id),
});
