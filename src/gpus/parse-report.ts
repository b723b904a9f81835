import { findHostFault, isWithoutDevices } from "./find-fault.ts";
import type { Gpu, GpuFault, GpuReport } from "./gpu-report.ts";
import { makeListedGpus } from "./make-listed-gpus.ts";
import { makeLostGpu, makeUnreadGpu } from "./make-unread-gpu.ts";
import { type GpuCard, parseCard, parseLostGpus } from "./parse-cards.ts";
import { parseMpsReport } from "./parse-mps.ts";
import { parseGpuRows } from "./parse-rows.ts";
import { type ReportParts, readAnswer, readFields, readParts } from "./read-parts.ts";

export type { GpuReport } from "./gpu-report.ts";

const FREE_MEMORY_MIB = 500;
export const PROBE_SECONDS = 15;

export interface ParseOptions {
  /** The token that the probe was made with. */
  readonly token: string;
  /** A GPU is free only below this (default 500). */
  readonly freeMemoryMiB?: number;
  /** The time that nvidia-smi was given (default 15). */
  readonly seconds?: number;
}

/** Reads what a probe printed. null: nothing in this text says whether there are GPUs. */
export function parseGpuReport(text: string, options: ParseOptions): GpuReport | null {
  const parts = readParts(text, options.token);
  if (!parts) return null;
  const cards = parts.findAll("card").map(parseCard);
  if (parts.find("command")) return parseNvidiaReport(parts, cards, options);
  if (cards.length > 0) {
    const message = "the NVIDIA driver is loaded, but nvidia-smi is not on PATH";
    return makeFaultReport({ reason: "not_available", message }, cards);
  }
  if (!parts.complete) return null;
  if (parts.find("system") === "Darwin") return parseMpsReport(parts);
  return makeEmptyReport("nvidia-smi is not on PATH: there is no NVIDIA GPU, or its driver is not installed");
}

function parseNvidiaReport(parts: ReportParts, cards: readonly GpuCard[], options: ParseOptions): GpuReport {
  if (parts.find("folder") === "none") {
    return makeFaultReport(
      { reason: "not_available", message: "the probe found no folder to write in" },
      cards,
    );
  }
  const { freeMemoryMiB = FREE_MEMORY_MIB, seconds = PROBE_SECONDS } = options;
  const answer = readAnswer(parts, "gpus");
  const lost = parseLostGpus(answer.words);
  const rows =
    answer.exit === "timeout" ? [] : parseGpuRows(parts.find("gpus.out") ?? "", readFields(parts, "gpus"));
  if (rows.length > 0) {
    const listed = makeListedGpus(rows, parts, { freeMemoryMiB, seconds });
    const gpus = sortGpus(removeTwins([...listed, ...lost.map((gpu) => makeLostGpu(gpu, cards))]));
    return { kind: "nvidia", gpus, fault: null, absence: null };
  }
  const isBare = cards.length + lost.length === 0;
  if (isBare && isWithoutDevices(answer)) return makeEmptyReport("nvidia-smi finds no GPU");
  const fault = findHostFault(answer, seconds);
  if (cards.length > 0 || lost.length === 0) return makeFaultReport(fault, cards);
  return { ...makeFaultReport(fault, []), gpus: lost.map((gpu) => makeLostGpu(gpu, [])) };
}

function makeFaultReport(fault: GpuFault, cards: readonly GpuCard[]): GpuReport {
  const known = cards.length > 0 ? cards : [undefined];
  const gpus = known.map((card) => makeUnreadGpu(card, "NVIDIA GPU", fault));
  return { kind: "nvidia", gpus, fault, absence: null };
}

function makeEmptyReport(absence: string): GpuReport {
  return { kind: "none", gpus: [], fault: null, absence };
}

/** A lost GPU may have a row and a line of its own: the row, which comes first, tells more. */
function removeTwins(gpus: readonly Gpu[]): Gpu[] {
  const isTwin = (one: Gpu, other: Gpu) =>
    (one.uuid !== null && one.uuid === other.uuid) || (one.index !== null && one.index === other.index);
  return gpus.filter((gpu, place) => !gpus.slice(0, place).some((earlier) => isTwin(earlier, gpu)));
}

/** By index; those without a number last. */
function sortGpus(gpus: readonly Gpu[]): Gpu[] {
  return [...gpus].sort((one, other) => (one.index ?? 1e9) - (other.index ?? 1e9));
}
