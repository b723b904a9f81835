import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { GpuReport } from "./gpu-report.ts";
import { parseGpuReport } from "./parse-report.ts";

const fixtures = new URL("../../fixtures/gpus/", import.meta.url);

function readFixture(name: string): string {
  return readFileSync(new URL(`${name}.txt`, fixtures), "utf8");
}

function parseFixture(name: string): GpuReport {
  const report = parseGpuReport(readFixture(name), { token: "TOKEN" });
  if (!report) throw new Error(`${name} holds no report`);
  return report;
}

/** `state reason` of each GPU. */
function judge(name: string): string[] {
  return parseFixture(name).gpus.map(({ state, reason }) => (reason ? `${state} ${reason}` : state));
}

describe("a host with GPUs", () => {
  it("tells the free, the leased and the busy GPUs of a shared server apart, between banners", () => {
    expect(parseFixture("shared-server")).toMatchObject({ kind: "nvidia", fault: null, absence: null });
    expect(judge("shared-server")).toEqual(["free", "leased", "busy compute_process", "free"]);
    expect(parseFixture("shared-server").gpus[1]).toEqual({
      index: 1,
      uuid: "GPU-91d0a7f4-2c6e-4e1b-8a3f-5b7c0d1e2f21",
      name: "NVIDIA A100-SXM4-80GB",
      memoryUsedMiB: 40213,
      memoryTotalMiB: 81920,
      utilizationPercent: 97,
      state: "leased",
      reason: null,
      message: "held by run r4k9m2x7q1ab of anna since 2025-11-29T08:15:00Z",
      processes: [
        {
          pid: 21874,
          name: "/home/anna/.conda/envs/nerf/bin/python",
          user: "anna",
          memoryMiB: 40196,
          alive: true,
        },
      ],
      lease: { run: "r4k9m2x7q1ab", user: "anna", since: "2025-11-29T08:15:00Z" },
    });
  });

  it("keeps commas in a process name out of the numbers", () => {
    expect(parseFixture("shared-server").gpus[2]?.processes[0]).toMatchObject({
      pid: 30112,
      name: "/opt/md/bin/gmx, mpi",
      memoryMiB: 35900,
    });
  });

  it("takes a MIG mode of [N/A] for a card that has no MIG", () => {
    expect(judge("idle-workstation")).toEqual(["free"]);
  });

  it("reads the shorter rows of an old driver", () => {
    expect(judge("old-driver")).toEqual(["free"]);
  });

  it("reads past a warning of the driver, whatever the exit code", () => {
    expect(judge("inforom-warning")).toEqual(["free"]);
  });

  it("flags memory that a dead process holds, and does not mind a dead process that holds little", () => {
    expect(judge("dead-process")).toEqual(["busy dead_process", "free"]);
  });

  it("does not call a process dead that a container cannot see", () => {
    expect(judge("container")).toEqual(["busy compute_process"]);
  });
});

describe("what cannot be read is unknown", () => {
  it.each([
    [
      "not-available",
      ["unknown not_available", "unknown not_available", "unknown not_available", "unknown not_available"],
    ],
    ["unknown-error", ["unknown not_available", "unknown not_available", "unknown not_available", "free"]],
    ["insufficient-permissions", ["unknown insufficient_permissions", "free"]],
    ["hidden-processes", ["unknown insufficient_permissions", "unknown not_available", "free"]],
    ["processes-refused", ["unknown insufficient_permissions"]],
    ["processes-timeout", ["unknown timeout"]],
    ["mig", ["unknown mig", "free"]],
    ["cut-off-late", ["unknown timeout"]],
  ])("%s", (name, states) => {
    expect(judge(name)).toEqual(states);
    expect(parseFixture(name).fault).toBeNull();
  });

  it("says in words what is wrong with each", () => {
    const messages = ["not-available", "unknown-error", "insufficient-permissions", "mig"].flatMap((name) =>
      parseFixture(name).gpus.flatMap(({ message }) => message ?? []),
    );
    expect(messages).toMatchInlineSnapshot(`
      [
        "its memory use is not known: nvidia-smi says “[N/A]”",
        "its memory use is not known: nvidia-smi says “N/A”",
        "its memory use is not known: nvidia-smi says “[Not Supported]”",
        "its memory use is not known: nvidia-smi says nothing",
        "nvidia-smi says “[Unknown Error]” of it; look at the kernel's log",
        "nvidia-smi says “ERR!” of it; look at the kernel's log",
        "it needs a reset (nvidia-smi --gpu-reset, or a restart of the host)",
        "this user may not read its memory use",
        "it is split into MIG instances, which Sortie does not hand out",
      ]
    `);
  });
});

describe("a lost GPU", () => {
  it.each(["lost-row", "lost-line", "lost-line-numbered"])(
    "%s: is listed and the others stay usable",
    (name) => {
      expect(judge(name).filter((state) => state === "free")).toHaveLength(3);
      const lost = parseFixture(name).gpus.filter(({ state }) => state !== "free");
      expect(lost).toMatchObject([{ state: "unknown", reason: "lost", uuid: null, memoryUsedMiB: null }]);
    },
  );

  it("has its number, its place and its model where they are known", () => {
    expect(parseFixture("lost-line-numbered").gpus[2]).toMatchObject({
      index: 2,
      name: "GPU at 0000:47:00.0",
    });
    expect(parseFixture("lost-line").gpus[3]).toMatchObject({ index: null, name: "NVIDIA A100-SXM4-80GB" });
  });

  it("makes the host unfit when nvidia-smi shows no other", () => {
    expect(parseFixture("lost-alone").fault?.reason).toBe("lost");
    expect(parseFixture("lost-alone").gpus).toMatchObject([
      { name: "GPU at 0000:07:00.0", state: "unknown" },
    ]);
  });
});

describe("a host whose GPUs cannot be asked", () => {
  it.each([
    ["driver-mismatch", "driver_mismatch"],
    ["driver-down", "not_available"],
    ["timeout", "timeout"],
    ["cut-off", "timeout"],
    ["nvml-unknown-error", "not_available"],
    ["nvml-no-permission", "insufficient_permissions"],
    ["no-command-cards", "not_available"],
  ])("%s: is unfit, which is not the same as having none", (name, reason) => {
    const report = parseFixture(name);
    expect(report).toMatchObject({ kind: "nvidia", fault: { reason }, absence: null });
    expect(report.gpus).toMatchObject([{ state: "unknown", reason, message: report.fault?.message }]);
  });

  it("lists the cards that the driver knows of", () => {
    expect(parseFixture("driver-mismatch-cards").gpus).toMatchObject([
      { uuid: "GPU-3f2b8c1e-7d40-4b0a-9c55-0a4e1c9d2f10", name: "NVIDIA A100-SXM4-80GB", state: "unknown" },
      { uuid: "GPU-91d0a7f4-2c6e-4e1b-8a3f-5b7c0d1e2f21", name: "NVIDIA A100-SXM4-80GB", state: "unknown" },
    ]);
  });

  it("says each in other words", () => {
    const names = [
      "driver-mismatch",
      "driver-down",
      "timeout",
      "nvml-unknown-error",
      "no-command-cards",
      "lost-alone",
    ];
    expect(names.map((name) => parseFixture(name).fault?.message)).toMatchInlineSnapshot(`
      [
        "the NVIDIA driver in the kernel and its library have different versions, as after an update without a restart; restart the host",
        "nvidia-smi cannot reach the NVIDIA driver; load its kernel module, or install it again for this kernel",
        "nvidia-smi gave no answer within 15 s; the driver or a GPU hangs, and the host may need a restart",
        "nvidia-smi says “Failed to initialize NVML: Unknown Error” (exit code 255)",
        "the NVIDIA driver is loaded, but nvidia-smi is not on PATH",
        "a GPU is lost, and nvidia-smi shows no other; restart the host",
      ]
    `);
  });
});

describe("a host without NVIDIA", () => {
  it.each(["no-command", "no-devices", "mac-intel", "mac-without-torch"])(
    "%s: has no GPU, and says why",
    (name) => {
      expect(parseFixture(name)).toMatchObject({ kind: "none", gpus: [], fault: null });
    },
  );

  it("says why in words", () => {
    const names = ["no-command", "no-devices", "mac-intel", "mac-without-torch"];
    expect(names.map((name) => parseFixture(name).absence)).toMatchInlineSnapshot(`
      [
        "nvidia-smi is not on PATH: there is no NVIDIA GPU, or its driver is not installed",
        "nvidia-smi finds no GPU",
        "PyTorch cannot use the GPU of this Mac (MPS)",
        "PyTorch was asked whether it can use the GPU of this Mac, and failed: ModuleNotFoundError: No module named 'torch'",
      ]
    `);
  });

  it("offers the GPU of a Mac when its PyTorch can use it", () => {
    expect(parseFixture("mac")).toMatchObject({
      kind: "mps",
      gpus: [{ index: 0, uuid: null, name: "Apple M2 Max", memoryTotalMiB: 32768, state: "free" }],
    });
  });
});

describe("text from outside", () => {
  it("loses its control characters and is bounded", () => {
    const texts = ["control-characters", "lease-garbage"].map((name) => JSON.stringify(parseFixture(name)));
    for (const text of texts) expect(text).not.toMatch(/\\u001b|\\u0007/);
    expect(parseFixture("lease-garbage").gpus[0]?.lease?.user).toHaveLength(100);
  });

  it("leaves a lease without a readable text a lease", () => {
    expect(judge("lease-garbage")).toEqual(["leased", "leased"]);
    expect(parseFixture("lease-garbage").gpus[1]).toMatchObject({
      lease: { run: null, user: null, since: null },
      message: "held by a run that is starting",
    });
  });

  it("is no report without a part that has the token", () => {
    expect(parseGpuReport(readFixture("shared-server"), { token: "OTHER" })).toBeNull();
    expect(parseGpuReport("", { token: "TOKEN" })).toBeNull();
  });

  it("never makes the reader fail, a GPU free or a host empty, wherever the answer is cut off", () => {
    const text = readFixture("shared-server");
    for (let length = 0; length < text.indexOf("@TOKEN begin end"); length += 7) {
      const report = parseGpuReport(text.slice(0, length), { token: "TOKEN" });
      expect(report?.kind).not.toBe("none");
      expect(report?.gpus.filter(({ state }) => state === "free") ?? []).toEqual([]);
    }
  });
});

describe("the fixtures", () => {
  it("are all used here", () => {
    const tests = readFileSync(new URL(import.meta.url), "utf8");
    const names = readdirSync(fixtures).filter((name) => name.endsWith(".txt"));
    expect(names.filter((name) => !tests.includes(`"${name.replace(".txt", "")}"`))).toEqual([]);
  });
});
