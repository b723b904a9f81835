import { InvalidArgumentError } from "commander";
import { SortieError } from "../../../base/error.ts";
import { type FleetView, lookAtFleet } from "../../../supervise/fleet/show-fleet.ts";
import { defineCommand } from "../../define-command.ts";
import { printAgentLogs } from "../../print-agent-logs.ts";
import { withDesk } from "../../with-desk.ts";

interface LogOptions {
  fleet?: string;
  follow?: boolean;
  lines: number;
}

export const command = defineCommand<LogOptions>({
  isStream: true,
  describe: (c) =>
    c
      .argument("[agent]", "its number, or the name of its run (default: all of them)")
      .option("--fleet <fleet>", "id, name or job of the fleet (default: the live one, else the newest)")
      .option("-f, --follow", "go on until the agents have ended")
      .option("-n, --lines <n>", "so many of the last lines of each", parseCount, 20)
      .option("--json", "print one JSON line for each line of a log"),
  run: ({ io, options, args: [wanted] }) =>
    withDesk(io, async (desk) => {
      const view = await lookAtFleet(desk, options.fleet ?? null);
      const agents = chooseAgents(view, wanted).map(({ number, runId }) => ({ number, run: runId }));
      return printAgentLogs(io, desk, agents, { lines: options.lines, follow: options.follow ?? false });
    }),
});

function chooseAgents({ name, agents }: FleetView, wanted: string | undefined): FleetView["agents"] {
  if (wanted === undefined) return agents;
  const chosen = agents.filter(({ number, run, runId }) => [String(number), run, runId].includes(wanted));
  if (chosen.length > 0) return chosen;
  const problem = `${JSON.stringify(wanted)} is no agent of ${name}: it has 1 to ${agents.length}.`;
  throw new SortieError("usage", { problem, command: "sortie agents logs" });
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It is not a number of lines.");
  return Number(text);
}
