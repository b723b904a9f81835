import { makePrintable } from "../base/printable.ts";
import type { Gpu, GpuReport } from "./gpu-report.ts";
import type { ReportParts } from "./read-parts.ts";

/**
 * The GPU of a Mac, when the run's own PyTorch can use it (Metal Performance Shaders). It has no UUID and no lease, all
 * programs of the Mac share it, and how much of it is in use nobody tells.
 */
export function parseMpsReport(parts: ReportParts): GpuReport {
  const answer = parts.find("mps.out");
  if (answer === "True") return { kind: "mps", gpus: [makeMpsGpu(parts)], fault: null, absence: null };
  return { kind: "none", gpus: [], fault: null, absence: describeAbsence(answer, parts) };
}

function makeMpsGpu(parts: ReportParts): Gpu {
  const bytes = Number(parts.find("mps.bytes") || Number.NaN);
  return {
    index: 0,
    uuid: null,
    name: makePrintable(parts.find("mps.chip") || "Apple GPU").slice(0, 200),
    memoryUsedMiB: null,
    memoryTotalMiB: Number.isFinite(bytes) ? Math.round(bytes / 1024 ** 2) : null,
    utilizationPercent: null,
    state: "free",
    reason: null,
    message: "shared by all programs of this Mac, never reserved",
    processes: [],
    lease: null,
  };
}

function describeAbsence(answer: string | undefined, parts: ReportParts): string {
  if (answer === "False") return "PyTorch cannot use the GPU of this Mac (MPS)";
  const lastLine = parts.find("mps.err")?.split("\n").at(-1);
  const cause = lastLine ? makePrintable(lastLine).slice(0, 200) : "it gave no answer";
  return `PyTorch was asked whether it can use the GPU of this Mac, and failed: ${cause}`;
}
