import { defineGroup } from "../define-command.ts";

export const command = defineGroup("notify", {
  test: {
    summary: "send a test card on each channel, and say what came of it",
    load: () => import("./notify/test.ts"),
  },
  ls: { summary: "list what was told, what is to be, and what failed", load: () => import("./notify/ls.ts") },
});
