import { SortieError } from "../../base/error.ts";
import { describeUse, nameGpuWithModel } from "../../gpus/describe-gpu.ts";
import { findNamedGpus } from "../../gpus/find-named-gpus.ts";
import type { Gpu, GpuReport } from "../../gpus/gpu-report.ts";
import { loadGpuReport } from "../../gpus/load-gpus.ts";
import type { Runner } from "../../process/runner.ts";
import { findGpuWish, type GpuWish } from "../agent/gpu-wish.ts";
import { findFreeMemory } from "../agent/take-gpu.ts";
import type { RehearseOptions } from "./rehearse-options.ts";

/** Who gets which GPU. */
export interface DealtGpus {
  /** By number: a UUID or an index, `cpu`, or undefined for an agent that chooses by itself. */
  readonly gpus: readonly (string | undefined)[];
  /** For people; undefined where there is nothing to say. */
  readonly said?: string;
}

const CPU = "cpu";

/**
 * Looks once at the GPUs of this machine and deals out the free ones: agents that looked by themselves, all at once, would
 * find the same ones. An agent for which there is none rehearses on `cpu`. What was named is dealt in turn, as it was named.
 * @throws SortieError `value_bad`, `gpu_unknown`, `gpus_unasked`
 */
export async function dealGpus(
  options: Pick<RehearseOptions, "agents" | "agentCommand" | "gpus" | "env" | "cwd" | "signal">,
  runner: Runner,
): Promise<DealtGpus> {
  const { agents, agentCommand, gpus, env } = options;
  const deal = (give: (index: number) => string | undefined) =>
    Array.from({ length: agents }, (_, at) => give(at));
  if (gpus !== undefined) {
    const dealt = deal((index) => gpus[index % gpus.length]);
    // An agent of another kind makes of it what it likes, and a run's own agents share its GPU.
    if (agentCommand === undefined && !env["SORTIE_RUN_ID"]) checkNamed(gpus, dealt, env);
    return { gpus: dealt };
  }
  if (agentCommand !== undefined) return { gpus: deal(() => CPU) };
  const wish = findGpuWish(undefined, env);
  if (wish.kind === "none" || wish.kind === "as-is") return { gpus: deal(() => undefined) };
  const freeMemoryMiB = await findFreeMemory(options);
  const report = await loadGpuReport(runner, { env, signal: options.signal, freeMemoryMiB });
  const candidates = listCandidates(report, wish);
  if (candidates === null) return { gpus: deal(() => undefined) };
  const free = report.fault ? [] : candidates.filter(({ state, uuid }) => state === "free" && uuid !== null);
  return {
    gpus: deal((index) => free[index]?.uuid ?? CPU),
    said: describeDeal(free.slice(0, agents), agents, report.fault?.message ?? describeOthers(candidates)),
  };
}

/** A GPU serves one agent: a list that is too short would have the others refused, each by itself and late. */
function checkNamed(
  gpus: readonly string[],
  dealt: readonly (string | undefined)[],
  env: RehearseOptions["env"],
): void {
  for (const name of gpus) findGpuWish(name, env);
  const named = dealt.filter((name) => name !== CPU);
  if (new Set(named).size === named.length) return;
  throw new SortieError("value_bad", {
    ...{ what: "--gpu", value: gpus.join(","), reason: "a GPU serves one agent at a time" },
    advice: `Name one for each of the ${dealt.length} agents, or cpu for those without one: ${gpus[0]},${CPU}`,
  });
}

/** The GPUs that may be dealt out; null where agents find by themselves that there is nothing to hold. */
function listCandidates(
  report: GpuReport,
  wish: Extract<GpuWish, { kind: "named" | "any" }>,
): readonly Gpu[] | null {
  if (report.kind !== "nvidia") return null;
  return wish.kind === "any" ? report.gpus : findNamedGpus(report, [wish.name]);
}

/** `agent 1 on GPU 0 (NVIDIA A100), agent 2 on cpu: …`, as there are seldom many. */
function describeDeal(dealt: readonly Gpu[], agents: number, why: string): string {
  const own = dealt.map((gpu, index) => `agent ${index + 1} on ${nameGpuWithModel(gpu)}`);
  const left = agents - dealt.length;
  if (left === 0) return own.join(", ");
  const first = dealt.length + 1;
  const others = left === 1 ? `agent ${first}` : `agents ${first} to ${agents}`;
  return `${[...own, `${others} on cpu`].join(", ")}: no ${dealt.length === 0 ? "" : "other "}GPU is free${why && ` (${why})`}`;
}

/** What those that are not free do. */
function describeOthers(gpus: readonly Gpu[]): string {
  return describeUse(gpus.filter(({ state }) => state !== "free"));
}
