import { defineGroup } from "../../define-command.ts";

export const command = defineGroup("gateway simulator", {
  add: { summary: "make a key for simulators of a board", load: () => import("./simulator-add.ts") },
  ls: { summary: "list the keys", load: () => import("./simulator-ls.ts") },
  rm: { summary: "revoke a key", load: () => import("./simulator-rm.ts") },
});
