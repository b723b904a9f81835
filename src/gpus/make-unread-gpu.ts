import type { Gpu, GpuFault } from "./gpu-report.ts";
import type { GpuCard, LostGpu } from "./parse-cards.ts";

/** A GPU of which nvidia-smi tells nothing: what the driver knows of it, if that, and why it cannot be used. */
export function makeUnreadGpu(card: GpuCard | undefined, name: string, fault: GpuFault): Gpu {
  return {
    index: null,
    uuid: card?.uuid ?? null,
    name: card?.model ?? name,
    memoryUsedMiB: null,
    memoryTotalMiB: null,
    utilizationPercent: null,
    state: "unknown",
    reason: fault.reason,
    message: fault.message,
    processes: [],
    lease: null,
  };
}

export function makeLostGpu(lost: LostGpu, cards: readonly GpuCard[]): Gpu {
  const card = cards.find(({ bus }) => bus !== null && bus === lost.bus);
  const place = lost.bus ? ` at ${lost.bus}` : "";
  const message = `it is lost: nvidia-smi cannot open it${place} (${lost.words || "no reason given"}); restart the host`;
  return { ...makeUnreadGpu(card, `GPU${place}`, { reason: "lost", message }), index: lost.index };
}
