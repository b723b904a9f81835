import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { formatGpus } from "./format-gpus.ts";
import type { GpuReport } from "./gpu-report.ts";
import { makeGpuDocument } from "./make-document.ts";
import { parseGpuReport } from "./parse-report.ts";

function parseFixture(name: string): GpuReport {
  const text = readFileSync(new URL(`../../fixtures/gpus/${name}.txt`, import.meta.url), "utf8");
  return parseGpuReport(text, { token: "TOKEN" }) as GpuReport;
}

describe("the table of GPUs", () => {
  it("says who holds what, and since when", () => {
    expect(formatGpus(parseFixture("shared-server"), "gpubox")).toMatchInlineSnapshot(`
      "GPU  MODEL                                     MEMORY MiB    LOAD  STATE
      0    NVIDIA A100-SXM4-80GB                      4 / 81920     0 %  free
      1    NVIDIA A100-SXM4-80GB                  40213 / 81920    97 %  leased
           held by run r4k9m2x7q1ab of anna since 2025-11-29T08:15:00Z
      2    NVIDIA A100-SXM4-80GB                  71830 / 81920   100 %  busy
           used by process 30112 (gmx, mpi of bob), process 30113 (gmx, mpi of bob)
      3    NVIDIA A100-SXM4-80GB                    303 / 81920     2 %  free
      "
    `);
  });

  it("lists a lost GPU", () => {
    expect(formatGpus(parseFixture("lost-line"), "gpubox")).toMatchInlineSnapshot(`
      "GPU  MODEL                                     MEMORY MiB    LOAD  STATE
      0    NVIDIA A100-SXM4-80GB                      4 / 81920     0 %  free
      1    NVIDIA A100-SXM4-80GB                      4 / 81920     0 %  free
      3    NVIDIA A100-SXM4-80GB                      4 / 81920     0 %  free
      ?    NVIDIA A100-SXM4-80GB                          ? / ?       ?  unknown
           it is lost: nvidia-smi cannot open it at 0000:47:00.0 (GPU is lost);
           restart the host
      "
    `);
  });

  it("says a fault of the host once", () => {
    expect(formatGpus(parseFixture("driver-mismatch-cards"), "gpubox")).toMatchInlineSnapshot(`
      "No GPU of gpubox can be used: the NVIDIA driver in the kernel and its library
      have different versions, as after an update without a restart; restart the host.

      GPU  MODEL                                     MEMORY MiB    LOAD  STATE
      ?    NVIDIA A100-SXM4-80GB                          ? / ?       ?  unknown
      ?    NVIDIA A100-SXM4-80GB                          ? / ?       ?  unknown
      "
    `);
  });

  it("is a sentence where there is none", () => {
    expect(formatGpus(parseFixture("no-command"), "gpubox")).toMatchInlineSnapshot(`
      "No GPU on gpubox: nvidia-smi is not on PATH: there is no NVIDIA GPU, or its
      driver is not installed.
      "
    `);
  });

  it.each([
    "shared-server",
    "not-available",
    "lost-line",
    "driver-mismatch",
    "dead-process",
    "mac",
    "control-characters",
    "no-command",
  ])("%s fits 80 columns, without control characters", (name) => {
    const text = formatGpus(parseFixture(name), "gpubox");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});

describe("the document of GPUs", () => {
  it("has the host, and of each GPU its numbers, its state, its reason and its processes", () => {
    expect(makeGpuDocument(parseFixture("dead-process"), "gpubox")).toMatchObject({
      host: "gpubox",
      gpus: [
        {
          index: 0,
          uuid: "GPU-3f2b8c1e-7d40-4b0a-9c55-0a4e1c9d2f10",
          name: "NVIDIA A100-SXM4-80GB",
          memoryUsedMiB: 3072,
          memoryTotalMiB: 81920,
          utilizationPercent: 0,
          state: "busy",
          reason: "dead_process",
          processes: [{ pid: 4021, name: null, user: null, memoryMiB: 3060, alive: false }],
        },
        { index: 1, memoryUsedMiB: 12, state: "free", reason: null },
      ],
      fault: null,
    });
  });

  it("has null for what is not known, and the fault of the host", () => {
    const document = makeGpuDocument(parseFixture("timeout"), "gpubox");
    expect(document).toMatchObject({
      gpus: [{ index: null, uuid: null, memoryUsedMiB: null, state: "unknown", reason: "timeout" }],
      fault: { reason: "timeout" },
    });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});
