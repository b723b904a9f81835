import { SortieError } from "../../base/error.ts";
import { findNamedGpus } from "../../gpus/find-named-gpus.ts";
import type { Gpu, GpuReport } from "../../gpus/gpu-report.ts";
import type { FleetWish } from "./fleet-wish.ts";

/** A GPU that an agent may have; without a UUID it is known by its index alone, and cannot be leased. */
export interface FleetGpu {
  readonly index: number | null;
  readonly uuid: string | null;
  readonly name: string | null;
}

export interface GpuLeftOut {
  readonly index: number | null;
  /** Why, a clause for people. */
  readonly why: string;
}

export interface GpuOffer {
  /** By index; null: the agents need none, so that none limits them. */
  readonly free: readonly FleetGpu[] | null;
  readonly leftOut: readonly GpuLeftOut[];
}

/**
 * The GPUs that agents may have, one each, and why the others may not be had.
 * @throws fleet_gpus_untold (no nvidia-smi, and the person has not said how many there are), gpu_unknown, value_bad
 */
export function offerGpus(
  report: GpuReport,
  { gpus, gpu }: Pick<FleetWish, "gpus" | "gpu">,
  host = "this machine",
): GpuOffer {
  if (gpus === "none") return { free: null, leftOut: [] };
  if (report.kind !== "nvidia") return offerCounted(report, gpus, host);
  if (gpus !== undefined) throw refuseCount(gpus);
  if (report.fault) return { free: [], leftOut: [{ index: null, why: report.fault.message }] };
  const named = gpu.length === 0 ? report.gpus : findNamedGpus(report, gpu);
  const isOffered = (one: Gpu) => named.includes(one) && one.state === "free" && one.uuid !== null;
  return {
    free: named.filter(isOffered).map(({ index, uuid, name }) => ({ index, uuid, name })),
    leftOut: report.gpus
      .filter((one) => !isOffered(one))
      .map((one) => ({ index: one.index, why: describeAbsence(one, named.includes(one)) })),
  };
}

function offerCounted({ absence, gpus: seen }: GpuReport, count: number | undefined, host: string): GpuOffer {
  const why = absence ?? seen[0]?.message ?? "none can be counted";
  if (count === undefined) throw new SortieError("fleet_gpus_untold", { host, why });
  if (!Number.isSafeInteger(count) || count < 1) throw refuseCount(count);
  return {
    free: Array.from({ length: count }, (_, index) => ({ index, uuid: null, name: null })),
    leftOut: [],
  };
}

function describeAbsence(gpu: Gpu, isNamed: boolean): string {
  if (!isNamed) return "not named with --gpu";
  return gpu.message ?? "its UUID is not known";
}

function refuseCount(count: number): SortieError {
  return new SortieError("value_bad", {
    what: "--gpus",
    value: count,
    reason: "it counts the GPUs of a machine without nvidia-smi, from 1 on",
    advice:
      "Say how many agents with --agents, which GPUs with --gpu, or --gpus none where the handler needs none.",
  });
}
