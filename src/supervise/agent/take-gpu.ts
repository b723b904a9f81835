import { SortieError } from "../../base/error.ts";
import { findHome } from "../../disk/home.ts";
import { describeUse, nameGpu, nameGpuWithModel } from "../../gpus/describe-gpu.ts";
import { findNamedGpus } from "../../gpus/find-named-gpus.ts";
import type { Gpu, GpuReport } from "../../gpus/gpu-report.ts";
import { type HeldGpu, holdGpu } from "../../gpus/hold-gpu.ts";
import { loadGpuReport } from "../../gpus/load-gpus.ts";
import type { Runner } from "../../process/runner.ts";
import { chooseTargetFor } from "../choose-target.ts";
import type { Environment } from "../desk.ts";
import { findGpuWish, type GpuWish } from "./gpu-wish.ts";
import { keepLease } from "./keep-lease.ts";
import { isSurelyVisible } from "./visible-gpus.ts";

/** The GPU of an agent, from the choice to the agent's end. */
export interface TakenGpu {
  /** Its UUID or index, `cpu` for none; undefined: as the environment says. */
  readonly pinned?: string;
  /** For the log. */
  readonly said: string;
  readonly warnings: readonly string[];
  /** Frees the lease, where there is one. */
  release(): Promise<void>;
}

export interface GpuPlace {
  readonly env: Environment;
  readonly cwd: string;
  readonly runner: Runner;
  /** Who others read to hold the GPU. */
  readonly holder: string;
  readonly signal: AbortSignal;
  /** Told where the lease is lost later. */
  readonly onWarn: (text: string) => void;
}

/** Someone may end between the look and the lease, and someone else begin. */
const MOST_LOOKS = 3;

/**
 * Chooses a GPU and leases it as a run does: the one that was named, else any free one where there are GPUs. Inside a run
 * the run's own lease serves. @throws SortieError `agent_gpu_absent`, `agent_gpu_taken`, `agent_gpu_unfit`,
 * `agent_gpu_not_of_run`, `gpu_unknown`
 */
export async function takeGpu(named: string | undefined, place: GpuPlace): Promise<TakenGpu> {
  const wish = findGpuWish(named, place.env);
  if (wish.kind === "none") return makeUnleased("cpu", `no GPU: ${wish.said}`);
  if (wish.kind === "as-is") return makeUnleased(undefined, wish.said);
  const { env, runner, signal } = place;
  const freeMemoryMiB = await findFreeMemory(place);
  for (let looks = 1; ; looks += 1) {
    const report = await loadGpuReport(runner, { env, signal, freeMemoryMiB });
    const taken = await takeFrom(report, wish, place, looks === MOST_LOOKS);
    if (taken !== null) return taken;
  }
}

/** Below how much use a GPU is free, as for a run: a screen that hangs on it may need more than usual. */
export async function findFreeMemory({
  env,
  cwd,
}: Pick<GpuPlace, "env" | "cwd">): Promise<number | undefined> {
  const desk = { env, home: findHome(env) };
  const choice = await chooseTargetFor(desk, { cwd, wanted: "local" }, { isEntered: false });
  return "target" in choice ? choice.target.settings.freeMemoryMiB : undefined;
}

/** null: others were faster, another look will tell. */
async function takeFrom(
  report: GpuReport,
  wish: Extract<GpuWish, { kind: "named" | "any" }>,
  place: GpuPlace,
  isLast: boolean,
): Promise<TakenGpu | null> {
  if (report.kind === "none") {
    const why = report.absence ?? "nvidia-smi was not found";
    if (wish.kind === "any") return makeUnleased(undefined, `no GPU: ${why}`);
    throw new SortieError("agent_gpu_absent", { gpu: wish.name, why });
  }
  if (report.fault) throw new SortieError("agent_gpu_unfit", { why: report.fault.message });
  const gpus = wish.kind === "any" ? findFree(report) : findNamedGpus(report, [wish.name]);
  const [first] = gpus as [Gpu];
  const uuids = gpus.flatMap(({ uuid }) => uuid ?? []);
  // macOS has one GPU, without a UUID and without a lease.
  if (uuids.length === 0) return makeUnleased(undefined, nameGpuWithModel(first));
  if (isLeasedByRun(place.env)) {
    checkIsOfRun(first, report, place.env);
    return makeUnleased(uuids[0], `${nameGpuWithModel(first)}, under the lease of the run`);
  }
  const warnings = wish.kind === "any" ? [] : checkState(first);
  const held = await holdGpu({ candidates: uuids, ...place });
  if (held === "held" && isLast)
    throw new SortieError("agent_gpu_taken", { held: `${nameGpu(first)} was taken just now` });
  if (held === "held") return null;
  if (held !== "failed") return { ...makeLeased(held, gpus, place), warnings };
  const fault = "no lease could be made on this machine: nothing keeps others from this GPU";
  return { ...makeUnleased(uuids[0], nameGpuWithModel(first)), warnings: [...warnings, fault] };
}

/** A fleet's script is told by `SORTIE_RUN_GPUS` what is leased, since nothing is hidden from it. */
function isLeasedByRun(env: Environment): boolean {
  if (!env["SORTIE_RUN_ID"]) return false;
  return Boolean(env["SORTIE_RUN_GPUS"]) || env["CUDA_VISIBLE_DEVICES"] !== undefined;
}

/** A run leases what its `CUDA_VISIBLE_DEVICES` shows and nothing else, or what `SORTIE_RUN_GPUS` names. */
function checkIsOfRun(gpu: Gpu, report: GpuReport, env: Environment): void {
  const visible = env["SORTIE_RUN_GPUS"] || env["CUDA_VISIBLE_DEVICES"] || "none";
  if (isSurelyVisible(gpu, report, { ...env, CUDA_VISIBLE_DEVICES: visible })) return;
  throw new SortieError("agent_gpu_not_of_run", { gpu: nameGpu(gpu), run: env["SORTIE_RUN_ID"], visible });
}

function findFree({ gpus }: GpuReport): Gpu[] {
  const free = gpus.filter(({ state }) => state === "free");
  if (free.length === 0) throw new SortieError("agent_gpu_taken", { held: describeUse(gpus) });
  return free;
}

/** A named GPU that others use is refused; one of which nothing is known is not, since the lease keeps runs away. */
function checkState(gpu: Gpu): string[] {
  if (gpu.state === "free") return [];
  if (gpu.state !== "unknown") throw new SortieError("agent_gpu_taken", { held: describeUse([gpu]) });
  return [`whether it is free is not known: ${describeUse([gpu])}`];
}

function makeLeased(held: HeldGpu, gpus: readonly Gpu[], place: GpuPlace): Omit<TakenGpu, "warnings"> {
  const gpu = gpus.find(({ uuid }) => uuid === held.uuid) as Gpu;
  const said = `${nameGpuWithModel(gpu)}, leased: ${held.uuid}`;
  return { pinned: held.uuid, said, ...keepLease(held, place) };
}

function makeUnleased(pinned: string | undefined, said: string): TakenGpu {
  return { pinned, said, warnings: [], release: async () => undefined };
}
