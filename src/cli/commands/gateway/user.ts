import { defineGroup } from "../../define-command.ts";

export const command = defineGroup("gateway user", {
  add: { summary: "add a user", load: () => import("./user-add.ts") },
  passwd: { summary: "change a password", load: () => import("./user-passwd.ts") },
  quota: { summary: "change how many jobs a day a user may submit", load: () => import("./user-quota.ts") },
  parallelism: {
    summary: "change how many agents a user's jobs may have at once",
    load: () => import("./user-parallelism.ts"),
  },
  rm: { summary: "delete a user and stop their jobs", load: () => import("./user-rm.ts") },
  ls: { summary: "list users", load: () => import("./user-ls.ts") },
});
