import { type Command, InvalidArgumentError } from "commander";
import { parseDuration } from "../base/duration.ts";
import { SortieError } from "../base/error.ts";
import type { FleetWish } from "../supervise/fleet/fleet-wish.ts";
import { addWord } from "./add-word.ts";
import type { Io } from "./io.ts";

/** The options of whatever launches a fleet, as commander reads them. */
export interface FleetOptions {
  target?: string;
  agents?: number | "max";
  handler?: string;
  runner?: string;
  python?: string;
  stagger?: string;
  gpu?: string[];
  gpus?: number | "none";
  unverified?: boolean;
  detach?: boolean;
  yes?: boolean;
}

/** Declares them. */
export function describeFleetOptions(command: Command): Command {
  return command
    .option("--target <name>", "where the agents run (default: on this machine)")
    .option(
      "--agents <k>",
      "how many agents, or max: as many as the job allows and GPUs are free",
      parseAgents,
    )
    .option(
      "--handler <spec>",
      "[DIR/]MODULE:FUNCTION or FILE.py:FUNCTION, FILE.js[:EXPORT]; served by Sortie",
    )
    .option(
      "--runner <script>",
      "start this instead, as `SCRIPT GPU JOB_UUID GATEWAY` (default: ./scripts/tunnel.sh if it is there)",
    )
    .option("--python <program>", "the handler's interpreter")
    .option(
      "--stagger <time>",
      "start the next agent after this time, even if the one before is not ready yet",
    )
    .option("--gpu <which>", "one of the GPUs, by index or UUID; may be repeated", addWord)
    .option("--gpus <n>", "where nvidia-smi is missing: how many GPUs there are, or none", parseGpus)
    .option("--unverified", "start though the environment has not shown that it works")
    .option("--detach", "answer once the fleet is launched, and leave it running")
    .option("--yes", "confirm the plan without a question; of agents it needs --agents");
}

/** What the person wishes, checked and in units. `command`: for what is said of a mistake. @throws usage, value_bad */
export function readFleetWish(io: Io, options: FleetOptions, command: string): FleetWish {
  const refuse = (problem: string) => new SortieError("usage", { problem, command });
  if (options.handler !== undefined && options.runner !== undefined)
    throw refuse("--handler and --runner do not go together: each says what answers the observations.");
  if (options.runner !== undefined && options.python !== undefined)
    throw refuse("--python goes with --handler: a runner chooses its own interpreter.");
  if (options.gpus !== undefined && options.gpu !== undefined)
    throw refuse("--gpu and --gpus do not go together: --gpus is for a machine whose GPUs cannot be named.");
  return {
    agents: options.agents ?? null,
    target: options.target,
    unverified: options.unverified,
    handler: options.handler,
    runner: options.runner,
    python: options.python,
    staggerS: options.stagger === undefined ? undefined : parseDuration(options.stagger, "--stagger"),
    gpu: options.gpu ?? [],
    gpus: options.gpus,
    cwd: io.cwd,
  };
}

function parseAgents(text: string): number | "max" {
  if (text === "max") return "max";
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It must be a number from 1, or max.");
  return Number(text);
}

function parseGpus(text: string): number | "none" {
  if (text === "none" || text === "0") return "none";
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError("It must be a number, or none.");
  return Number(text);
}
