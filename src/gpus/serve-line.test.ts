import { describe, expect, it } from "vitest";
import type { Gpu, GpuReport } from "./gpu-report.ts";
import { type InLine, serveLine } from "./serve-line.ts";

const makeGpu = (index: number, change: Partial<Gpu> = {}): Gpu => ({
  index,
  uuid: `GPU-${index}`,
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
const taken = { state: "leased", message: "held by run r0" } as const;
const makeReport = (gpus: Gpu[]): GpuReport => ({ kind: "nvidia", gpus, fault: null, absence: null });
const makePlace = (name: string, change: Partial<InLine> = {}): InLine => ({
  name,
  since: "2026-01-01T00:00:00.000Z",
  request: { count: 1, gpu: [] },
  model: null,
  freeMemoryMiB: 500,
  ...change,
});
const ask = (report: GpuReport, ...line: InLine[]) => {
  const { served, left } = serveLine(report, line);
  return {
    served: served.map(({ choice }) => choice?.gpus.map(({ index }) => index) ?? null),
    why: served.map(({ why }) => why),
    free: left.gpus.filter(({ state }) => state === "free").map(({ index }) => index),
    left,
  };
};

describe("the line for GPUs", () => {
  it("serves the first who came, and tells the next what to wait for", () => {
    const report = makeReport([makeGpu(0, taken), makeGpu(1)]);
    const { served, why, left } = ask(report, makePlace("first"), makePlace("second"));
    expect(served).toEqual([[1], null]);
    expect(why[1]).toMatch(/GPU 0 held by run r0; GPU 1 is kept for first, which has waited since 2026/);
    // No lease is held: it is not said to be one.
    expect(left.gpus[1]).toMatchObject({ state: "busy", reason: "reserved", lease: null });
  });

  it("keeps free GPUs for one who needs more of them than are free", () => {
    const report = makeReport([makeGpu(0, taken), makeGpu(1)]);
    const wants = { request: { count: 2, gpu: [] } };
    expect(ask(report, makePlace("big", wants), makePlace("small"))).toMatchObject({
      served: [null, null],
      free: [],
    });
  });

  it("does not hold back those who wait for other GPUs", () => {
    const report = makeReport([makeGpu(0, taken), makeGpu(1), makeGpu(2)]);
    const zero = makePlace("zero", { request: { count: "default", gpu: [0] } });
    expect(ask(report, zero, makePlace("any"))).toMatchObject({ served: [null, [1]], free: [2] });
  });

  it("holds to the model of a plan", () => {
    const report = makeReport([makeGpu(0, taken), makeGpu(1, { name: "T4" })]);
    const { served, why } = ask(report, makePlace("first", { model: "A100" }), makePlace("second"));
    expect(served).toEqual([null, [1]]);
    expect(why[0]).toMatch(/GPU 1 is no A100/);
  });

  it("counts a GPU as free by the limit of each", () => {
    const report = makeReport([
      makeGpu(0, { memoryUsedMiB: 700, state: "busy", reason: "memory", message: "used" }),
    ]);
    expect(ask(report, makePlace("strict")).served).toEqual([null]);
    expect(ask(report, makePlace("generous", { freeMemoryMiB: 1000 })).served).toEqual([[0]]);
    const used = makeReport([makeGpu(0, { memoryUsedMiB: 300 })]);
    expect(ask(used, makePlace("strictest", { freeMemoryMiB: 100 })).served).toEqual([null]);
  });

  it("waits on where the driver fails or a named GPU is gone, and stands in nobody's way", () => {
    const failing = { ...makeReport([]), fault: { reason: "timeout" as const, message: "it hangs" } };
    expect(ask(failing, makePlace("first")).why[0]).toContain("it hangs");
    const gone = makePlace("gone", { request: { count: "default", gpu: [7] } });
    expect(ask(makeReport([makeGpu(0)]), gone, makePlace("next")).served).toEqual([null, [0]]);
  });
});
