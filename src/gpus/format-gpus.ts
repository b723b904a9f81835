import { wrapText } from "../base/wrap.ts";
import type { Gpu, GpuReport } from "./gpu-report.ts";

const WIDTH = 80;
const NAME_WIDTH = 34;
const INDENT = "     ";

/**
 * The GPUs as a table for people, without colour, 80 columns wide; under each GPU that is not free, who holds it and
 * since when, or what is wrong with it.
 */
export function formatGpus(report: GpuReport, host: string): string {
  if (report.kind === "none")
    return `${wrapText(`No GPU on ${host}: ${report.absence}.`, WIDTH).join("\n")}\n`;
  const rows = report.gpus.map(formatRow);
  const header = formatCells(["GPU", "MODEL", "MEMORY MiB", "LOAD", "STATE"]);
  const lines = report.gpus.flatMap((gpu, place) => [rows[place] as string, ...formatNote(gpu, report)]);
  const fault = report.fault
    ? [...wrapText(`No GPU of ${host} can be used: ${report.fault.message}.`, WIDTH), ""]
    : [];
  return [...fault, header, ...lines, ""].join("\n");
}

function formatRow(gpu: Gpu): string {
  const memory = `${gpu.memoryUsedMiB ?? "?"} / ${gpu.memoryTotalMiB ?? "?"}`;
  const load = gpu.utilizationPercent === null ? "?" : `${gpu.utilizationPercent} %`;
  return formatCells([String(gpu.index ?? "?"), gpu.name, memory, load, gpu.state]);
}

function formatCells([index, name, memory, load, state]: string[]): string {
  const cells = [
    index?.padEnd(3),
    shorten(name ?? "").padEnd(NAME_WIDTH),
    memory?.padStart(16),
    load?.padStart(6),
    state,
  ];
  return cells.join("  ");
}

function shorten(name: string): string {
  return name.length > NAME_WIDTH ? `${name.slice(0, NAME_WIDTH - 1)}…` : name;
}

/** Under a fault of the host every GPU would say the same: it stands above the table once. */
function formatNote(gpu: Gpu, report: GpuReport): string[] {
  if (gpu.message === null || report.fault) return [];
  return wrapText(gpu.message, WIDTH, INDENT);
}
