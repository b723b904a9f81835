import { Option } from "commander";
import { SortieError } from "../../../base/error.ts";
import { type JobsWish, loadJob, loadJobs } from "../../../supervise/host/list-jobs.ts";
import { type GatewayConfig, loadHostConfig } from "../../../supervise/host/load-config.ts";
import { type ConfigOption, describeConfig } from "../../define-change.ts";
import { defineCommand } from "../../define-command.ts";
import type { Io } from "../../io.ts";
import { formatJob, formatJobs } from "../../views/format-hosting.ts";
import { findTableWidth } from "../../views/format-table.ts";

interface JobsOptions extends ConfigOption {
  board?: string;
  user?: string;
  former?: boolean;
  state?: "live" | "ended";
  all?: boolean;
}

const SHOWN = 30;

export const command = defineCommand<JobsOptions>({
  describe: (c) =>
    describeConfig(c)
      .argument("[job]", "number or uuid: shows its cases")
      .option("--board <board>", "only of this board")
      .option("--user <email>", "only of this user")
      .option("--former", "with --user: also of deleted users who had that address before")
      .addOption(new Option("--state <state>", "only these").choices(["live", "ended"]))
      .option("--all", `list every job, not just the newest ${SHOWN}`),
  run: async ({ io, options, args: [job] }) => {
    const { config: file, all, ...filter } = options;
    const config = loadHostConfig(file);
    if (job !== undefined) return showJob(io, config, job, filter);
    const limit = all || io.json ? Number.MAX_SAFE_INTEGER : SHOWN;
    const { board, user, former, state } = filter;
    if (former && user === undefined) refuseCall("--former goes with --user.");
    const { jobs, total } = await loadJobs(config, { board, user, former, state, limit });
    if (io.json) {
      io.printDocument({ jobs });
      return 0;
    }
    if (jobs.length === 0) io.say("No jobs.");
    for (const line of formatJobs(jobs, new Date(), findTableWidth(io))) io.say(line);
    const older = total - jobs.length;
    if (older > 0) io.say(`… and ${older} older ${older === 1 ? "one" : "ones"}: sortie gateway jobs --all`);
    return 0;
  },
});

async function showJob(
  io: Io,
  config: GatewayConfig,
  wanted: string,
  { board, user, former, state }: Partial<JobsWish>,
): Promise<number> {
  if (board ?? user ?? former ?? state)
    refuseCall("Either one job or a filter is asked for, not both at once.");
  const shown = await loadJob(config, wanted);
  if (io.json) io.printDocument(shown);
  else for (const line of formatJob(shown, new Date(), findTableWidth(io))) io.say(line);
  return 0;
}

function refuseCall(problem: string): never {
  throw new SortieError("usage", { problem, command: "sortie gateway jobs" });
}
