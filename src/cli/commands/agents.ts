import { defineGroup } from "../define-command.ts";

export const command = defineGroup("agents", {
  launch: { summary: "start agents for a job, one GPU each", load: () => import("./agents/launch.ts") },
  ls: { summary: "list fleets and their agents", load: () => import("./agents/ls.ts") },
  logs: { summary: "read or follow the agents' logs", load: () => import("./agents/logs.ts") },
  release: {
    summary: "start the rest of a fleet whose first agent does not say that it is up",
    load: () => import("./agents/release.ts"),
  },
  stop: { summary: "end a fleet and make sure of it", load: () => import("./agents/stop.ts") },
});
