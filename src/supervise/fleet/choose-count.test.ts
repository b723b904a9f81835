import { expect, it } from "vitest";
import { SortieError } from "../../base/error.ts";
import type { Gpu, GpuReport } from "../../gpus/gpu-report.ts";
import { chooseCount, describeCount } from "./choose-count.ts";
import type { FleetWish } from "./fleet-wish.ts";
import { offerGpus } from "./offer-gpus.ts";

const catchCode = (action: () => unknown) => {
  try {
    return action();
  } catch (fault) {
    return fault instanceof SortieError ? fault.code : fault;
  }
};
const limits = { jobUuid: "j", leftOut: [] };

it.each([
  ["max", 4, 8, 4],
  ["max", 8, 2, 2],
  [null, 4, 3, 3],
  [null, 4, null, 4],
  [2, 4, 4, 2],
  [4, 4, 4, 4],
  [5, 4, 8, "fleet_too_large"],
  [3, 8, 2, "fleet_too_large"],
  [0, 4, 4, "value_bad"],
  [1.5, 4, 4, "value_bad"],
  [1, 0, 4, "fleet_parallelism_zero"],
  ["max", 4, 0, "fleet_no_gpu"],
  [2, null, 4, 2],
  ["max", null, 4, 4],
] as const)("of %s agents, %s allowed and %s GPUs free, launches %s", (agents, parallelism, free, k) => {
  expect(catchCode(() => chooseCount(agents, { ...limits, parallelism, free }))).toBe(k);
});

it("says what is not used, and why", () => {
  const leftOut = [{ index: 2, why: "held by run r1" }];
  expect(describeCount(2, { ...limits, parallelism: 4, free: 2, leftOut })).toEqual([
    "2 of the 4 agents that the job allows (only 2 GPUs are free): fewer of its cases are played at once",
    "GPU 2 is left out: held by run r1",
  ]);
  expect(describeCount(4, { ...limits, parallelism: 4, free: 4 })).toEqual([]);
});

const makeGpu = (index: number, more: Partial<Gpu> = {}): Gpu => ({
  ...{
    index,
    uuid: `GPU-${index}`,
    name: "A100",
    memoryUsedMiB: 4,
    memoryTotalMiB: 80_000,
    utilizationPercent: 0,
  },
  ...{ processes: [], lease: null, state: "free", reason: null, message: null },
  ...more,
});
const nvidia: GpuReport = {
  kind: "nvidia",
  gpus: [
    makeGpu(0),
    makeGpu(1, { state: "leased", message: "held by run r1" }),
    makeGpu(2, { state: "unknown", reason: "mig", message: "it is split" }),
    makeGpu(3),
  ],
  fault: null,
  absence: null,
};
const none: GpuReport = { kind: "none", gpus: [], fault: null, absence: "nvidia-smi was not found" };
const offer = (report: GpuReport, wish: Partial<FleetWish> = {}) =>
  catchCode(() => {
    const { free, leftOut } = offerGpus(report, { gpu: [], ...wish });
    return [
      free?.map(({ index, uuid }) => uuid ?? index) ?? null,
      leftOut.map(({ index, why }) => `${index} ${why}`),
    ];
  });

it("offers free GPUs, and says of each other one why not", () => {
  expect(offer(nvidia)).toEqual([
    ["GPU-0", "GPU-3"],
    ["1 held by run r1", "2 it is split"],
  ]);
  expect(offer(nvidia, { gpu: ["3", "1"] })).toEqual([
    ["GPU-3"],
    ["0 not named with --gpu", "1 held by run r1", "2 not named with --gpu"],
  ]);
  expect(offer(nvidia, { gpu: ["7"] })).toBe("gpu_unknown");
  expect(offer(nvidia, { gpus: "none" })).toEqual([null, []]);
  expect(offer(nvidia, { gpus: 2 })).toBe("value_bad");
  const fault = { reason: "driver_mismatch" as const, message: "the driver does not answer" };
  expect(offer({ ...nvidia, fault })).toEqual([[], ["null the driver does not answer"]]);
});

it("asks for the number where none can be counted", () => {
  expect(offer(none)).toBe("fleet_gpus_untold");
  expect(offer(none, { gpus: 2 })).toEqual([[0, 1], []]);
  expect(offer(none, { gpus: "none" })).toEqual([null, []]);
});
