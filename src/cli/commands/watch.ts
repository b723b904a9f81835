import { watchRuns } from "../../supervise/watch-runs.ts";
import { defineCommand } from "../define-command.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand({
  describe: (c) => c,
  run: ({ io }) =>
    withDesk(io, async (desk) => {
      const leave = new AbortController();
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
        process.once(signal, () => leave.abort());
      await watchRuns(desk, leave.signal);
      return 0;
    }),
});
