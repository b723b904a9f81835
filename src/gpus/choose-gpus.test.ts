import { describe, expect, it } from "vitest";
import { makeErrorDocument, SortieError } from "../base/error.ts";
import { checkGpus, makeGpuPredicates } from "./check-gpus.ts";
import { chooseGpus, type GpuChoice, type GpuRequest } from "./choose-gpus.ts";
import type { Gpu, GpuReport } from "./gpu-report.ts";

const A100 = { name: "NVIDIA A100-SXM4-80GB", memoryTotalMiB: 81920 };
const T4 = { name: "Tesla T4", memoryTotalMiB: 15360 };
const LEASE = { run: "r1", user: "anna", since: "2025-11-29T08:15:00Z" };
const LEASED = {
  state: "leased",
  message: "held by run r1 of anna since 2025-11-29T08:15:00Z",
  lease: LEASE,
} as const;
const BUSY = {
  state: "busy",
  reason: "compute_process",
  message: "used by process 12 (gmx of bob)",
} as const;
const LOST = { state: "unknown", reason: "lost", message: "it is lost", uuid: null } as const;

function makeGpu(index: number, change: Partial<Gpu> = {}): Gpu {
  return {
    ...A100,
    index,
    uuid: `GPU-aaaa000${index}-0000`,
    memoryUsedMiB: 4,
    utilizationPercent: 0,
    state: "free",
    reason: null,
    message: null,
    processes: [],
    lease: null,
    ...change,
  };
}

function makeReport(...changes: Partial<Gpu>[]): GpuReport {
  return {
    kind: "nvidia",
    gpus: changes.map((change, index) => makeGpu(index, change)),
    fault: null,
    absence: null,
  };
}

const NONE: GpuReport = { kind: "none", gpus: [], fault: null, absence: "nvidia-smi is not on PATH" };
const UNFIT: GpuReport = {
  ...makeReport({ state: "unknown", index: null, uuid: null }),
  fault: { reason: "driver_mismatch", message: "the driver and its library have different versions" },
};

function choose(report: GpuReport, request: Partial<GpuRequest> = {}): GpuChoice {
  return chooseGpus(report, { count: "default", ...request });
}

function listIndices(gpus: readonly Gpu[]): (number | null)[] {
  return gpus.map(({ index }) => index);
}

function catchError(report: GpuReport, request: Partial<GpuRequest> = {}) {
  try {
    choose(report, request);
  } catch (fault) {
    if (fault instanceof SortieError) return { ...makeErrorDocument(fault), exit: fault.exit };
    throw fault;
  }
  throw new Error("there was a choice");
}

describe("the default", () => {
  it("is one free GPU where there is any: the emptiest, then the lowest number", () => {
    const choice = choose(makeReport({ memoryUsedMiB: 300 }, LEASED, {}, {}));
    expect(choice.gpus).toMatchObject([{ index: 2, uuid: "GPU-aaaa0002-0000" }]);
    expect(choice.why).toBe("GPU 2, NVIDIA A100-SXM4-80GB, the emptiest of 3 free");
  });

  it("is none, said, where there is none", () => {
    expect(choose(NONE)).toEqual({ gpus: [], candidates: [], why: "nvidia-smi is not on PATH" });
  });

  it("is never none because GPUs cannot be read", () => {
    expect(catchError(UNFIT)).toMatchObject({
      code: "gpus_unfit",
      exit: 5,
      retryable: false,
      message: "1 GPU asked for, but the driver and its library have different versions.",
    });
    expect(catchError(makeReport(LOST, LOST))).toMatchObject({ code: "gpus_unfit", exit: 5 });
  });

  it("is the GPU of a Mac, shared", () => {
    const mac = {
      ...makeReport({ uuid: null, name: "Apple M2", message: "shared by all programs" }),
      kind: "mps",
    } as const;
    expect(choose(mac)).toMatchObject({
      gpus: [{ name: "Apple M2" }],
      candidates: [],
      why: "Apple M2, shared by all programs",
    });
    expect(catchError(mac, { count: 2 })).toMatchObject({ code: "gpus_too_few" });
  });
});

describe("a number of GPUs", () => {
  it("none hides all, whatever their state", () => {
    for (const report of [makeReport({}), UNFIT, NONE])
      expect(choose(report, { count: "none" }).gpus).toEqual([]);
  });

  it("names as candidates the other free GPUs of the same model", () => {
    const choice = choose(makeReport({}, T4, {}, LEASED, {}), { count: 2 });
    expect(listIndices(choice.gpus)).toEqual([0, 2]);
    expect(listIndices(choice.candidates)).toEqual([4]);
  });

  it("takes equal GPUs where there are enough of them, unequal ones where there are not", () => {
    expect(listIndices(choose(makeReport({}, T4, T4), { count: 2 }).gpus)).toEqual([1, 2]);
    expect(choose(makeReport({}, T4), { count: 2 })).toMatchObject({
      gpus: [{ index: 0 }, { index: 1 }],
      candidates: [],
    });
  });

  it("says who holds each when too few are free, and that waiting helps", () => {
    const error = catchError(makeReport(LEASED, BUSY, {}), { count: 2 });
    expect(error).toMatchObject({
      code: "gpus_busy",
      exit: 5,
      retryable: true,
      hint: expect.stringContaining("--wait-gpu"),
    });
    expect(error.message).toBe(
      "2 GPUs asked for, 1 free: GPU 0 held by run r1 of anna since 2025-11-29T08:15:00Z; GPU 1 used by process 12 (gmx of bob).",
    );
    expect(error.details["gpus"]).toMatchObject([
      { index: 0, lease: LEASE },
      { index: 1, reason: "compute_process" },
    ]);
  });

  it("is the user's mistake when there are not so many", () => {
    expect(catchError(makeReport({}, LEASED), { count: 3 })).toMatchObject({
      code: "gpus_too_few",
      exit: 2,
      message: "3 GPUs asked for, but the host has 2 GPUs.",
    });
    expect(catchError(NONE, { count: 1 }).message).toBe(
      "1 GPU asked for, but the host has none: nvidia-smi is not on PATH.",
    );
  });

  it("is not waited for when it could only come true by a repair", () => {
    expect(catchError(makeReport({}, LOST), { count: 2 })).toMatchObject({
      code: "gpus_unfit",
      message: "2 GPUs asked for, but GPU 1: it is lost.",
    });
  });
});

describe("GPUs that the person named", () => {
  it("are taken by index, UUID or a UUID's unique beginning, each once, without stand-ins", () => {
    const report = makeReport({}, T4, {});
    const choice = choose(report, { gpu: ["2", "gpu-AAAA0001-0000", "GPU-aaaa0002"] });
    expect(choice).toMatchObject({ gpus: [{ index: 2 }, { index: 1 }], candidates: [] });
    expect(choice.why).toBe("GPU 2 (NVIDIA A100-SXM4-80GB), GPU 1 (Tesla T4), as asked");
  });

  it.each(["7", "GPU-ffff", "GPU-", "GPU-aaaa", "-1", ""])(
    "%j is none of them: exit 2, and they are listed",
    (name) => {
      expect(catchError(makeReport({}, {}), { gpu: [name] })).toMatchObject({
        code: "gpu_unknown",
        exit: 2,
        message: `The host has no GPU ${name}; it has 0 (GPU-aaaa0000-0000), 1 (GPU-aaaa0001-0000).`,
      });
    },
  );

  it("are refused with their holder, or with what is wrong with them", () => {
    const report = makeReport(LEASED, LOST, {});
    expect(catchError(report, { gpu: [0] }).message).toBe(
      `GPU 0 asked for, none free: GPU 0 ${LEASED.message}.`,
    );
    expect(catchError(report, { gpu: [1] })).toMatchObject({
      code: "gpus_unfit",
      message: "GPU 1 asked for, but GPU 1: it is lost.",
    });
    expect(catchError(NONE, { gpu: [0] })).toMatchObject({ code: "gpu_unknown" });
    expect(catchError(UNFIT, { gpu: [0] })).toMatchObject({ code: "gpus_unfit" });
  });

  it("must be as many as --gpus says", () => {
    expect(choose(makeReport({}, {}), { gpu: [0, 1], count: 2 }).gpus).toHaveLength(2);
    for (const count of [1, "none"] as const) {
      expect(catchError(makeReport({}, {}), { gpu: [0, 1], count })).toMatchObject({
        code: "value_bad",
        exit: 2,
      });
    }
  });
});

describe("what a plan rests on", () => {
  const predicate = { count: 1, model: A100.name, memoryTotalMiB: 81920 };

  it("is so many free GPUs of each model, or those that were named", () => {
    expect(makeGpuPredicates(choose(makeReport({})), { named: false })).toEqual([predicate]);
    const mixed = choose(makeReport({}, T4), { gpu: [0, 1] });
    expect(makeGpuPredicates(mixed, { named: true })).toEqual([
      { ...predicate, uuid: ["GPU-aaaa0000-0000"] },
      { count: 1, model: "Tesla T4", memoryTotalMiB: 15360, uuid: ["GPU-aaaa0001-0000"] },
    ]);
  });

  it("holds while another GPU of the model is free", () => {
    expect(checkGpus(makeReport(LEASED, {}), predicate)).toBeNull();
    expect(checkGpus(NONE, { ...predicate, count: 0 })).toBeNull();
  });

  it("no longer holds when they are taken, gone, of another model, or cannot be read", () => {
    expect(checkGpus(makeReport(LEASED, T4), predicate)).toBe(
      `1 GPU of the model ${A100.name} is needed, none is free: GPU 0 ${LEASED.message}`,
    );
    expect(checkGpus(makeReport({}, BUSY), { ...predicate, count: 2 })).toContain(
      "only 1 is free: GPU 1 used by",
    );
    expect(checkGpus(NONE, predicate)).toBe(`1 GPU of the model ${A100.name} is needed, none is free`);
    expect(checkGpus(UNFIT, predicate)).toBe("the driver and its library have different versions");
  });

  it("is exactly the named GPU when one was named", () => {
    const named = { ...predicate, uuid: ["GPU-aaaa0000-0000"] };
    expect(checkGpus(makeReport({}, LEASED), named)).toBeNull();
    expect(checkGpus(makeReport(LEASED, {}), named)).toBe(`GPU 0 is not free any more: ${LEASED.message}`);
    expect(checkGpus(makeReport({ uuid: "GPU-other" }), named)).toBe(
      "the GPU GPU-aaaa0000-0000 is not there any more",
    );
  });
});
