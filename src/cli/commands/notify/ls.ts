import { loadSent } from "../../../supervise/news/load-sent.ts";
import { defineCommand } from "../../define-command.ts";
import { formatNotices } from "../../views/format-notices.ts";
import { findTableWidth } from "../../views/format-table.ts";
import { withDesk } from "../../with-desk.ts";

const DEFAULT_LIMIT = 30;
const ALL = 1_000_000;

export const command = defineCommand<{ all?: boolean }>({
  describe: (c) => c.option("--all", `all of the last 30 days (default: the newest ${DEFAULT_LIMIT})`),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      const notices = loadSent(desk, options.all ? ALL : DEFAULT_LIMIT);
      if (io.json) io.printDocument({ notices });
      else if (notices.length === 0) io.say("Nothing was told yet.");
      else for (const line of formatNotices(notices, desk.clock.now(), findTableWidth(io))) io.say(line);
      return 0;
    }),
});
