import type { Command } from "commander";
import { planReady } from "../../../supervise/environment/plan-ready.ts";
import { planAndReady } from "../../confirm-ready.ts";
import { defineCommand } from "../../define-command.ts";
import { lookAtTarget } from "../../look-at-target.ts";
import { sayRows } from "../../say-lines.ts";
import { formatReady } from "../../views/format-environment.ts";
import { withDesk } from "../../with-desk.ts";

export interface TargetOptions {
  target?: string;
}

/** How every command about an environment on a target names both. */
export function describeEnvironment(command: Command): Command {
  return command
    .argument("[name]", "the environment's name, or its specification (default: the project's only one)")
    .option("--target <name>", "where: a section's name, a kind, or an SSH alias; `local` is this machine");
}

export const command = defineCommand<TargetOptions & { yes?: boolean }>({
  describe: (c) => describeEnvironment(c).option("--yes", "do it without a question"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const sight = await lookAtTarget(io, desk, {
        target: options.target,
        wanted: args[0],
        asksGpus: false,
      });
      if (typeof sight === "number") return sight;
      const plan = await planReady(desk, sight, {
        ...{
          action: "env build",
          candidates: null,
          tiers: [1],
          again: false,
          agent: null,
          documentTimeoutMs: null,
        },
      });
      if (plan !== null) return planAndReady(io, desk, plan, options);
      const { document, lines } = formatReady(sight);
      if (io.json) io.printDocument(document);
      else sayRows(io, lines);
      return 0;
    }),
});
