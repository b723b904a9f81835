import { expect, it } from "vitest";
import type { GpuPredicate } from "./check-gpus.ts";
import type { Gpu, GpuReport } from "./gpu-report.ts";
import { listCandidates } from "./list-candidates.ts";

const makeGpu = (uuid: string, change: Partial<Gpu> = {}): Gpu => ({
  index: null,
  uuid,
  name: "A100",
  memoryUsedMiB: 4,
  memoryTotalMiB: 81920,
  utilizationPercent: 0,
  state: "free",
  reason: null,
  message: null,
  processes: [],
  lease: null,
  ...change,
});
const makeReport = (gpus: Gpu[]): GpuReport => ({ kind: "nvidia", gpus, fault: null, absence: null });
const a100: GpuPredicate = { count: 1, model: "A100", memoryTotalMiB: 81920 };
const t4: GpuPredicate = { count: 1, model: "T4", memoryTotalMiB: 15360 };
const card = { name: "T4", memoryTotalMiB: 15360 };

it("is every free GPU of the plan's model, its own choice first and in its order", () => {
  const report = makeReport([
    makeGpu("a"),
    makeGpu("b", { state: "leased" }),
    makeGpu("c"),
    makeGpu("d", card),
    makeGpu("e"),
  ]);
  expect(listCandidates(report, [a100], ["e", "c"])).toEqual(["e", "c", "a"]);
});

it("is just so many of each where the plan holds several models", () => {
  const report = makeReport([makeGpu("a"), makeGpu("b"), makeGpu("c", card), makeGpu("d", card)]);
  expect(listCandidates(report, [a100, t4], ["d", "b"])).toEqual(["d", "b"]);
  expect(listCandidates(report, [a100, t4], ["gone", "b"])).toEqual(["b", "c"]);
});

it("is what the person named, and nothing else", () => {
  const report = makeReport([makeGpu("a"), makeGpu("b"), makeGpu("c")]);
  const named = { ...a100, count: 2, uuid: ["b", "a"] };
  expect(listCandidates(report, [named], ["b", "a"])).toEqual(["b", "a"]);
});
