import type { RunRequest } from "../../runs/run-record.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import type { FleetRunner } from "./fleet.ts";
import type { FleetJob } from "./fleet-terms.ts";
import type { FleetWish } from "./fleet-wish.ts";
import type { FleetGpu } from "./offer-gpus.ts";
import { AGENT_FILE, type AgentProgram } from "./remote/agent-program.ts";

/** Long enough for a handler to end by itself; a stop names its own. */
const GRACE_S = 30;
/** An agent is worth nothing without its GPU, and may wait for it as long as the fleet lives. */
const WITHOUT_END = -1;
/** Where the program lies on another host is known only when that was asked, which a plan does. */
const UNTOLD: readonly string[] = ["node", AGENT_FILE];

interface Pattern {
  readonly wish: FleetWish;
  readonly chosen: ChosenTarget;
  readonly runner: FleetRunner;
  readonly gpus: readonly FleetGpu[];
  readonly name: string;
}

/** What is the same for each agent, as the request of one run that has all the GPUs: so they are planned together. */
export function makePatternRequest(
  desk: Pick<Desk, "self">,
  { wish, chosen, runner, gpus, name }: Pattern,
): RunRequest {
  const uuids = gpus.flatMap(({ uuid }) => uuid ?? []);
  return {
    command: makeCommand(chosen.ssh === null ? [...desk.self, "agent"] : UNTOLD, runner),
    ...{ cwd: wish.cwd, target: chosen.section.name, name },
    ...{ gpus: uuids.length === 0 ? "none" : uuids.length, gpu: uuids },
    ...{ envNames: [], envFiles: [], results: [], resultsTo: null },
    ...{ timeoutS: null, graceS: GRACE_S, expectS: null, waitGpuS: null },
    ...(wish.unverified ? { unverified: true } : {}),
    // On this machine nothing is sent that could be frozen.
    ...(chosen.ssh !== null && chosen.settings.freeze.value ? { freeze: true } : {}),
  };
}

/** As far as it is the same for all of them. @param agent what serves a handler: its program and first arguments */
function makeCommand(agent: readonly string[], runner: FleetRunner): readonly string[] {
  if (runner.kind === "script") return [runner.path];
  const python = runner.python === null ? [] : ["--python", runner.python];
  return [...agent, "--handler", runner.handler, ...python];
}

interface SeatFacts {
  readonly runner: FleetRunner;
  readonly agent: AgentProgram | null;
  readonly gpu: FleetGpu | null;
  readonly name: string;
  readonly job: FleetJob;
}

/** The request of one agent. */
export function makeSeatRequest(
  pattern: RunRequest,
  { runner, agent, gpu, name, job }: SeatFacts,
): RunRequest {
  const { jobUuid, endpoint } = job;
  const words =
    runner.kind === "script"
      ? // Where it needs no GPU our own launcher understands `cpu`.
        [gpu?.index == null ? "cpu" : String(gpu.index), jobUuid, endpoint]
      : ["--job-uuid", jobUuid, "--gateway-url", endpoint];
  return {
    ...pattern,
    command: [...(agent ? makeCommand([agent.node, agent.path], runner) : pattern.command), ...words],
    name,
    ...(gpu?.uuid ? { gpus: 1, gpu: [gpu.uuid] } : { gpus: "none", gpu: [] }),
    waitGpuS: WITHOUT_END,
  };
}
