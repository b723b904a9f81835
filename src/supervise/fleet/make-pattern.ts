import type { RunRequest } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import type { FleetRunner } from "./fleet.ts";
import type { FleetJob } from "./fleet-terms.ts";
import type { FleetWish } from "./fleet-wish.ts";
import type { FleetGpu } from "./offer-gpus.ts";

/** Long enough for a handler to end by itself; a stop names its own. */
const GRACE_S = 30;
/** An agent is worth nothing without its GPU, and may wait for it as long as the fleet lives. */
const WITHOUT_END = -1;

interface Pattern {
  readonly wish: FleetWish;
  readonly runner: FleetRunner;
  readonly gpus: readonly FleetGpu[];
  readonly name: string;
}

/** What is the same for each agent, as the request of one run that has all the GPUs: so they are planned together. */
export function makePatternRequest(
  desk: Pick<Desk, "self">,
  { wish, runner, gpus, name }: Pattern,
): RunRequest {
  const uuids = gpus.flatMap(({ uuid }) => uuid ?? []);
  return {
    command: makeCommand(desk, runner),
    ...{ cwd: wish.cwd, target: "local", name },
    ...{ gpus: uuids.length === 0 ? "none" : uuids.length, gpu: uuids },
    ...{ envNames: [], envFiles: [], results: [], resultsTo: null },
    ...{ timeoutS: null, graceS: GRACE_S, expectS: null, waitGpuS: null },
  };
}

/** As far as it is the same for all of them. */
function makeCommand({ self }: Pick<Desk, "self">, runner: FleetRunner): readonly string[] {
  if (runner.kind === "script") return [runner.path];
  const python = runner.python === null ? [] : ["--python", runner.python];
  return [...self, "agent", "--handler", runner.handler, ...python];
}

/** The request of one agent. */
export function makeSeatRequest(
  pattern: RunRequest,
  { runner, gpu, name, job }: { runner: FleetRunner; gpu: FleetGpu | null; name: string; job: FleetJob },
): RunRequest {
  const { jobUuid, endpoint } = job;
  const words =
    runner.kind === "script"
      ? // Where it needs no GPU our own launcher understands `cpu`.
        [gpu?.index == null ? "cpu" : String(gpu.index), jobUuid, endpoint]
      : ["--job-uuid", jobUuid, "--gateway-url", endpoint];
  return {
    ...pattern,
    command: [...pattern.command, ...words],
    name,
    ...(gpu?.uuid ? { gpus: 1, gpu: [gpu.uuid] } : { gpus: "none", gpu: [] }),
    waitGpuS: WITHOUT_END,
  };
}
