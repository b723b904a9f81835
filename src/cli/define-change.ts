import type { Command } from "commander";
import type { ActionCall } from "../supervise/actions/action.ts";
import type { ActionPlan } from "../supervise/actions/action-plan.ts";
import type { Desk } from "../supervise/desk.ts";
import { type GatewayConfig, loadHostConfig } from "../supervise/host/load-config.ts";
import { type CommandModule, defineCommand } from "./define-command.ts";
import type { Io } from "./io.ts";
import { planAndAct } from "./plan-and-act.ts";
import { withDesk } from "./with-desk.ts";

export interface ConfigOption {
  config?: string;
}

export interface ChangeOptions extends ConfigOption {
  yes?: boolean;
}

export function describeConfig(command: Command): Command {
  return command.option(
    "--config <file>",
    "the gateway's configuration (default: gateway.yaml of this folder)",
  );
}

/** A command of an organiser that changes something: planned, confirmed, done. */
export function defineChange<Options extends ChangeOptions>({
  describe,
  plan,
  readCall,
}: {
  readonly describe: (command: Command) => Command;
  readonly plan: (
    desk: Desk,
    config: GatewayConfig,
    call: { readonly args: readonly string[]; readonly options: Options },
  ) => Promise<ActionPlan>;
  /** Checks at once what can be given, and reads it when the plan is confirmed. */
  readonly readCall?: (io: Io, options: Options) => () => Promise<ActionCall>;
}): CommandModule {
  return defineCommand<Options>({
    describe: (command) =>
      describeConfig(describe(command)).option("--yes", "confirm the plan without a question"),
    run: async ({ io, options, args }) => {
      const read = readCall?.(io, options);
      const config = loadHostConfig(options.config);
      return withDesk(io, async (desk) =>
        planAndAct(io, desk, await plan(desk, config, { args, options }), {
          yes: options.yes,
          readCall: read,
        }),
      );
    },
  });
}
