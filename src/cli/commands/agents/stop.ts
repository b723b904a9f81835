import { countOf } from "../../../base/count-of.ts";
import { parseDuration } from "../../../base/duration.ts";
import { SortieError } from "../../../base/error.ts";
import { makeFleetDocument } from "../../../supervise/fleet/show-fleet.ts";
import { type FleetStopped, stopFleet } from "../../../supervise/fleet/stop-fleet.ts";
import { defineCommand } from "../../define-command.ts";
import { withDesk } from "../../with-desk.ts";

interface StopOptions {
  force?: boolean;
  grace?: string;
}

export const command = defineCommand<StopOptions>({
  describe: (c) =>
    c
      .argument("[fleet]", "id, name or job (default: the live one)")
      .option("--force", "also while its job is live: what is in flight is lost")
      .option("--grace <time>", "time between TERM and KILL (default 30s)"),
  run: ({ io, options, args: [wanted] }) =>
    withDesk(io, async (desk) => {
      const graceS = options.grace === undefined ? null : parseDuration(options.grace, "--grace");
      const stopped = await stopFleet(desk, wanted ?? null, { graceS, force: options.force ?? false });
      const { fleet, wasEnded, lost, survivors } = stopped;
      if (survivors.length > 0) throw refuseSurvivors(stopped);
      if (io.json) io.printDocument({ fleet: makeFleetDocument(fleet), wasEnded, lost });
      else io.say(describeStop(stopped));
      return 0;
    }),
});

function refuseSurvivors({ fleet, survivors }: FleetStopped): SortieError {
  return new SortieError("stop_incomplete", {
    ...{ run: fleet.name, pids: survivors },
    survivors: survivors.map((pid) => `process ${pid}`),
  });
}

function describeStop({ fleet: { name, agents }, wasEnded, lost }: FleetStopped): string {
  if (wasEnded) return `${name} had ended before. Nothing was done.`;
  const loss = lost === null ? "" : ` Lost: ${lost}.`;
  return `${name} is ended: ${countOf(agents.length, "agent")}, and nothing of it is left.${loss}`;
}
