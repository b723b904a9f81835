import { loadFleetViews, makeFleetDocument } from "../../../supervise/fleet/show-fleet.ts";
import { defineCommand } from "../../define-command.ts";
import { formatFleet } from "../../views/format-fleet.ts";
import { findTableWidth } from "../../views/format-table.ts";
import { withDesk } from "../../with-desk.ts";

const SHOWN = 3;

export const command = defineCommand<{ all?: boolean }>({
  describe: (c) =>
    c.option("--all", `list every fleet, not just the live ones and the newest ${SHOWN} others`),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      const views = await loadFleetViews(desk, options.all || io.json ? Number.MAX_SAFE_INTEGER : SHOWN);
      if (io.json) {
        io.printDocument({ fleets: views.map(makeFleetDocument) });
        return 0;
      }
      if (views.length === 0) io.say("No fleets. Start one: sortie agents launch");
      for (const [place, view] of views.entries()) {
        if (place > 0) io.say();
        for (const line of formatFleet(view, desk.clock.now(), findTableWidth(io))) io.say(line);
      }
      return 0;
    }),
});
