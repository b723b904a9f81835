import { defineCommand } from "../../define-command.ts";
import { describeFleetOptions, type FleetOptions, readFleetWish } from "../../fleet-flags.ts";
import { planAndLaunch } from "../../plan-and-launch.ts";
import { withDesk } from "../../with-desk.ts";

interface LaunchOptions extends FleetOptions {
  jobUuid?: string;
  gatewayUrl?: string;
}

export const command = defineCommand<LaunchOptions>({
  describe: (c) =>
    describeFleetOptions(c)
      .option("--job-uuid <uuid>", "the job (default: JOB_UUID of the environment, of the state file)")
      .option(
        "--gateway-url <url>",
        "its TUNNEL_ENDPOINT (default: of the environment, of the state file, of the API)",
      )
      .addHelpText("after", "\nExample: sortie agents launch --agents max --handler policy:handle"),
  run: ({ io, options }) => {
    const wish = readFleetWish(io, options, "sortie agents launch");
    return withDesk(io, (desk) =>
      planAndLaunch(io, desk, { ...wish, jobUuid: options.jobUuid, endpoint: options.gatewayUrl }, options),
    );
  },
});
