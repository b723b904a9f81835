import { carryOutOrder } from "../../supervise/modal/follow/carry-out-order.ts";
import { defineCommand } from "../define-command.ts";

export const command = defineCommand({
  describe: (c) => c.argument("<order>", "the file in the job folder that says what to start"),
  run: ({ io, args }) => {
    const stop = new AbortController();
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop.abort());
    return carryOutOrder(args[0] as string, { env: io.env, print: io.write, stop: stop.signal });
  },
});
