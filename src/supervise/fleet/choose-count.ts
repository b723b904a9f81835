import { countOf } from "../../base/count-of.ts";
import { SortieError } from "../../base/error.ts";
import type { FleetWish } from "./fleet-wish.ts";
import type { GpuLeftOut } from "./offer-gpus.ts";

/** What limits the number of agents; null: not known yet, or no limit. */
export interface Limits {
  readonly jobUuid: string | null;
  readonly parallelism: number | null;
  /** Free GPUs. */
  readonly free: number | null;
  readonly leftOut: readonly GpuLeftOut[];
}

/**
 * How many agents are launched: those asked for, else as many as the job and the free GPUs allow.
 * @throws fleet_parallelism_zero, fleet_no_gpu, fleet_too_large, value_bad
 */
export function chooseCount(agents: FleetWish["agents"], limits: Limits): number {
  const { parallelism, free, leftOut } = limits;
  if (parallelism === 0) throw new SortieError("fleet_parallelism_zero", { job: limits.jobUuid ?? "" });
  if (typeof agents === "number" && (!Number.isSafeInteger(agents) || agents < 1)) throw refuse(agents);
  if (free === 0) throw new SortieError("fleet_no_gpu", { why: describeLeftOut(leftOut) || "there is none" });
  const cap = Math.min(parallelism ?? Number.POSITIVE_INFINITY, free ?? Number.POSITIVE_INFINITY);
  if (agents !== null && agents !== "max") {
    if (agents > cap) throw refuseLarge(agents, cap, limits);
    return agents;
  }
  return Number.isFinite(cap) ? cap : 1;
}

/** What a person should know of agents that could have been, and GPUs that are not used. */
export function describeCount(k: number, { parallelism, free, leftOut }: Limits): string[] {
  const isFewer = parallelism !== null && k < parallelism;
  const why = free !== null && free < (parallelism ?? 0) ? `${countFree(free)} free` : "as asked";
  return [
    ...(isFewer
      ? [
          `${k} of the ${parallelism} agents that the job allows (${why}): fewer of its cases are played at once`,
        ]
      : []),
    ...leftOut.map(
      ({ index, why: reason }) => `${index === null ? "GPUs are" : `GPU ${index} is`} left out: ${reason}`,
    ),
  ];
}

function refuse(agents: number): SortieError {
  return new SortieError("value_bad", {
    ...{ what: "--agents", value: agents, reason: "it is no number of agents" },
    advice: "Write a number from 1 on, or max.",
  });
}

function refuseLarge(agents: number, cap: number, { parallelism, free, leftOut }: Limits): SortieError {
  const limits = [
    parallelism === cap && `the job's PARALLELISM is ${parallelism}`,
    free === cap && [`${countFree(free)} free`, describeLeftOut(leftOut)].filter(Boolean).join(": "),
  ].filter((limit) => limit !== false);
  const asked = countOf(agents, "agent");
  return new SortieError("fleet_too_large", { asked, cap, why: limits.join("; ") });
}

function countFree(free: number): string {
  return free === 1 ? "only 1 GPU is" : `only ${free} GPUs are`;
}

function describeLeftOut(leftOut: readonly GpuLeftOut[]): string {
  return leftOut.map(({ index, why }) => (index === null ? why : `GPU ${index} ${why}`)).join("; ");
}
