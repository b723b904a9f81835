import { releaseFleet } from "../../../supervise/fleet/release-fleet.ts";
import { type FleetView, lookAtFleet, makeFleetDocument } from "../../../supervise/fleet/show-fleet.ts";
import { defineCommand } from "../../define-command.ts";
import { withDesk } from "../../with-desk.ts";

export const command = defineCommand({
  describe: (c) =>
    c
      .argument("[fleet]", "id, name or job (default: the live one)")
      .addHelpText(
        "after",
        "\nYour word that the first agent is up, where its launcher does not say RUNNING: the others\nare started one after the other, at once.",
      ),
  run: ({ io, args: [wanted] }) =>
    withDesk(io, async (desk) => {
      const { id } = releaseFleet(desk, wanted ?? null);
      const view = await lookAtFleet(desk, id);
      if (io.json) io.printDocument({ fleet: makeFleetDocument(view) });
      else io.say(describeRelease(view));
      return 0;
    }),
});

function describeRelease({ name, agents }: FleetView): string {
  return agents.some(({ state }) => state === "waiting")
    ? `${name}: the agents that wait are started now, one after the other.`
    : `${name} has no agent that waits.`;
}
