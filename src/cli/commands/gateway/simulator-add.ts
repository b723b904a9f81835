import { planAddSimulator } from "../../../supervise/host/add-simulator.ts";
import { defineChange } from "../../define-change.ts";

export const command = defineChange({
  describe: (c) => c.argument("<board>", "whose cases it may play"),
  plan: (desk, config, { args: [board = ""] }) => planAddSimulator(desk, config, board),
});
