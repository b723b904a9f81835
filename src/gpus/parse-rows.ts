import { makePrintable } from "../base/printable.ts";

/** One line of `--query-gpu`: the values as nvidia-smi gave them; undefined when this driver was not asked. */
export interface GpuRow {
  readonly index: number | null;
  readonly uuid: string | null;
  readonly name: string;
  readonly memoryUsed: string;
  readonly memoryTotal: string;
  readonly utilization: string | undefined;
  readonly mig: string | undefined;
}

/** One line of `--query-compute-apps`. */
export interface AppRow {
  readonly gpuUuid: string;
  /** A number, or what nvidia-smi says instead: `[Not Supported]`. */
  readonly pid: string;
  readonly name: string | null;
  readonly memoryMiB: number | null;
}

/** Reads the rows of GPUs; lines that are none (warnings of the driver) are left out. */
export function parseGpuRows(text: string, fields: readonly string[]): GpuRow[] {
  return text.split("\n").flatMap((line) => {
    const values = splitLine(line, fields, "name");
    const index = parseNumber(values.get("index"));
    const uuid = parseGpuUuid(values.get("uuid"));
    if (index === null && uuid === null) return [];
    return {
      index,
      uuid,
      name: cleanName(values.get("name")) ?? "NVIDIA GPU",
      memoryUsed: values.get("memory.used") ?? "",
      memoryTotal: values.get("memory.total") ?? "",
      utilization: values.get("utilization.gpu"),
      mig: values.get("mig.mode.current"),
    };
  });
}

export function parseAppRows(text: string, fields: readonly string[]): AppRow[] {
  return text.split("\n").flatMap((line) => {
    const values = splitLine(line, fields, "process_name");
    const gpuUuid = parseGpuUuid(values.get("gpu_uuid"));
    if (gpuUuid === null) return [];
    return {
      gpuUuid,
      pid: values.get("pid") ?? "",
      name: cleanName(values.get("process_name")),
      memoryMiB: parseNumber(values.get("used_memory")),
    };
  });
}

/** A number as nvidia-smi writes it, with or without its unit; null for every other text. */
export function parseNumber(text: string | undefined): number | null {
  const match = /^(\d+(?:\.\d+)?)(?: *(?:MiB|%))?$/.exec(text ?? "");
  return match ? Number(match[1]) : null;
}

export function parseGpuUuid(text: string | undefined): string | null {
  return /^GPU-[0-9A-Za-z-]+$/.test(text ?? "") ? (text as string) : null;
}

/** The values by field. Only names can hold commas, so the values behind `wide` are counted from the line's end. */
function splitLine(line: string, fields: readonly string[], wide: string): Map<string, string> {
  const cells = line.split(",");
  const place = fields.indexOf(wide);
  const surplus = cells.length - fields.length;
  if (place !== -1 && surplus > 0) {
    cells.splice(place, surplus + 1, cells.slice(place, place + surplus + 1).join(","));
  }
  return new Map(fields.map((field, column) => [field, cells[column]?.trim() ?? ""]));
}

/** Names come from outside: made printable, cut at 200 characters; null for `[N/A]`, `[Not Found]` and the like. */
function cleanName(text: string | undefined): string | null {
  if (!text || /^\[.*\]$|^N\/A$/.test(text)) return null;
  return makePrintable(text).slice(0, 200);
}
