import { countOf } from "../../base/count-of.ts";
import type { ActionPlan, Condition } from "../actions/action-plan.ts";
import type { FleetRunner } from "./fleet.ts";
import type { FleetGpu, GpuLeftOut } from "./offer-gpus.ts";
import type { AgentProgram } from "./remote/agent-program.ts";

/** Everything that launching a fleet will do. What only the submission tells is null in a draft. No secret is part of it. */
export interface FleetTerms {
  readonly name: string;
  /** How many agents, at most `parallelism`. */
  readonly k: number;
  readonly parallelism: number | null;
  /** One for each agent, in the order of their starts; empty: they need none. */
  readonly gpus: readonly FleetGpu[];
  /** null: they need none, so that none was counted. */
  readonly gpusFree: number | null;
  readonly gpusLeftOut: readonly GpuLeftOut[];
  readonly jobUuid: string | null;
  readonly endpoint: string | null;
  readonly baseUrl: string | null;
  readonly runner: FleetRunner;
  readonly staggerS: number | null;
  readonly cwd: string;
  /** The target's name. */
  readonly target: string;
  /** Its host over the network. null, or absent in an older plan: this machine. */
  readonly host?: string | null;
  /** What serves the handler there. null, or absent: this very Sortie, or the launcher script. */
  readonly agent?: AgentProgram | null;
  /** The plan of a run that holds what is the same for each agent: its environment, code, folder. Never confirmed by itself. */
  readonly pattern: { readonly plan: string; readonly hash: string };
}

export type FleetCondition = Condition &
  (
    | { readonly kind: "gpus"; readonly gpus: readonly FleetGpu[] }
    /** What the pattern rests on, and that nobody used or changed it. */
    | { readonly kind: "pattern" }
    /** The job goes on as far as can be told, and no other fleet is there for it. */
    | { readonly kind: "job"; readonly jobUuid: string }
  );

export type FleetPlan = ActionPlan<FleetTerms, FleetCondition>;

/** A job as a fleet serves it. */
export interface FleetJob {
  readonly jobUuid: string;
  readonly endpoint: string;
  readonly parallelism: number;
  readonly baseUrl: string | null;
}

/** All that a launch does, in words. `bringing`: how code and program get to another host. */
export function describeEffects(
  terms: FleetTerms,
  { jobDir, bringing = [] }: { jobDir: string; bringing?: readonly string[] },
): string[] {
  const { k, jobUuid, endpoint, gpus, runner } = terms;
  const agents = countOf(k, "agent");
  const each = gpus.length === 0 ? "without a GPU" : "one GPU each";
  const job = jobUuid === null ? "the job that is submitted" : jobUuid;
  const place = terms.host ?? "this machine";
  const program = runner.kind === "handler" ? `sortie agent with the handler ${runner.handler}` : runner.path;
  return [
    `${agents} against ${job} at ${endpoint ?? "the gateway that it names"}, ${each}`,
    ...bringing,
    `start ${program} ${k === 1 ? "once" : `${k} times`} on ${place}, detached${describeOrder(terms)}`,
    ...(gpus.length === 0 ? [] : [`${describeHold(terms)} until its agent ends`]),
    "start an agent that is killed again, at most five times, with a growing pause",
    `make a job folder for each in ${terms.host ? `${place}:` : ""}${jobDir}; a private file there holds the job's token until the agent ends`,
    "start Sortie's own process that watches runs, if none does; it goes when none is left",
    "the agents live on when this command or its terminal ends: until the job drains them, or `sortie agents stop`",
  ];
}

function describeOrder({ k, staggerS, runner }: FleetTerms): string {
  if (k === 1) return "";
  const then =
    staggerS === null ? "the one before is ready" : `the one before is ready, or after ${staggerS} s`;
  if (runner.kind === "script" && staggerS !== null) return `: one first, each next when ${then}`;
  return `: one first, until it is ready; each next when ${then}`;
}

function describeHold({ gpus }: FleetTerms): string {
  const [first] = gpus;
  const names = gpus.map(({ index, uuid }) => index ?? uuid).join(", ");
  const use = first?.uuid === null ? "use" : "hold";
  return `${use} GPU ${names}${gpus.length === 1 ? "" : ", each"}`;
}
