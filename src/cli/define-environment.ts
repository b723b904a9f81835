import type { Command } from "commander";
import type { Desk } from "../supervise/desk.ts";
import type { EnvironmentSight } from "../supervise/environment/look-at-environment.ts";
import { type CommandModule, defineCommand } from "./define-command.ts";
import type { Io } from "./io.ts";
import { lookAtTarget } from "./look-at-target.ts";
import { withDesk } from "./with-desk.ts";

export interface EnvironmentOptions {
  target?: string;
}

export interface EnvironmentCall<Options> {
  readonly io: Io;
  readonly desk: Desk;
  readonly sight: EnvironmentSight;
  readonly options: Options;
}

/** A command about one environment on one target: that is looked at first, and changed by none of it. */
export function defineEnvironment<Options extends EnvironmentOptions>({
  describe,
  asksGpus,
  run,
}: {
  readonly describe: (command: Command) => Command;
  /** Whether the GPUs of the host matter to this call. */
  readonly asksGpus: (options: Options) => boolean;
  readonly run: (call: EnvironmentCall<Options>) => Promise<number>;
}): CommandModule {
  return defineCommand<Options>({
    describe: (command) => describe(describeEnvironment(command)),
    run: ({ io, options, args }) =>
      withDesk(io, async (desk) => {
        const wish = { target: options.target, wanted: args[0], asksGpus: asksGpus(options) };
        const sight = await lookAtTarget(io, desk, wish);
        return typeof sight === "number" ? sight : run({ io, desk, sight, options });
      }),
  });
}

/** How every command about an environment on a target names both. */
export function describeEnvironment(command: Command): Command {
  return command
    .argument("[name]", "the environment's name, or its specification (default: the project's only one)")
    .option("--target <name>", "where: a section's name, a kind, or an SSH alias; `local` is this machine");
}
