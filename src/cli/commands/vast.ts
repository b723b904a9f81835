import { defineGroup } from "../define-command.ts";

export const command = defineGroup("vast", {
  search: {
    summary: "show which machines are to be had, and for how much",
    load: () => import("./vast/search.ts"),
  },
  ls: {
    summary: "show what the account has beside what Sortie knows, and what it costs",
    load: () => import("./vast/ls.ts"),
  },
  destroy: {
    summary: "destroy a machine of yours, and make sure of it",
    load: () => import("./vast/destroy.ts"),
  },
});
