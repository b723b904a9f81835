import { makePrintable } from "../base/printable.ts";
import { parseGpuUuid } from "./parse-rows.ts";

/** A card as the driver itself describes it, in `/proc/driver/nvidia/gpus/BUS/information`. */
export interface GpuCard {
  readonly bus: string | null;
  readonly model: string;
  /** null for a lost card: its UUID is all question marks then. */
  readonly uuid: string | null;
}

/** A GPU that nvidia-smi could not open, and its words for that. */
export interface LostGpu {
  readonly index: number | null;
  readonly bus: string | null;
  readonly words: string;
}

export function parseCard(text: string): GpuCard {
  const read = (key: string) => new RegExp(`^${key}:\\s*(.*)$`, "m").exec(text)?.[1]?.trim();
  return {
    bus: normalizeBus(read("Bus Location")),
    model: makePrintable(read("Model") ?? "NVIDIA GPU").slice(0, 200),
    uuid: parseGpuUuid(read("GPU UUID")),
  };
}

/**
 * The GPUs of lines like `Unable to determine the device handle for GPU 0000:C1:00.0: GPU is lost.  Reboot …`; newer
 * drivers write `GPU0000:C1:00.0` or `GPU1: 0000:C1:00.0`.
 */
export function parseLostGpus(text: string): LostGpu[] {
  const pattern =
    /device handle for gpu *(?:(\d{1,3}): )? *((?:[0-9a-f]{4,8}:)[0-9a-f]{2}:[0-9a-f]{2}\.\d)?:? *(.*)/gi;
  const found = Array.from(text.matchAll(pattern), ([, index, bus, words]) => ({
    index: index === undefined ? null : Number(index),
    bus: normalizeBus(bus),
    words:
      makePrintable(words ?? "")
        .split(". ")[0]
        ?.trim() ?? "",
  }));
  return found.filter((gpu, place) => found.findIndex((other) => isSame(gpu, other)) === place);
}

function isSame(one: LostGpu, other: LostGpu): boolean {
  return one.bus === other.bus && one.index === other.index;
}

/** `00000000:C1:00.0` and `0000:c1:00.0` are one place. */
function normalizeBus(text: string | undefined): string | null {
  return text ? text.toUpperCase().slice(-"0000:C1:00.0".length) : null;
}
