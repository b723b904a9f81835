import { SortieError } from "../../base/error.ts";
import { findNearest } from "../../base/nearest.ts";

/** GPU types of Modal, with the memory of one; in the order in which they are named to people. */
export const MODAL_GPUS: Readonly<Record<string, { readonly memoryGib: number }>> = {
  T4: { memoryGib: 16 },
  L4: { memoryGib: 24 },
  A10: { memoryGib: 24 },
  L40S: { memoryGib: 48 },
  "A100-40GB": { memoryGib: 40 },
  "A100-80GB": { memoryGib: 80 },
  "RTX-PRO-6000": { memoryGib: 96 },
  H100: { memoryGib: 80 },
  H200: { memoryGib: 141 },
  B200: { memoryGib: 180 },
  B300: { memoryGib: 270 },
};

/** Other words for them; Modal may give more than was asked for, at the same price. */
const ALIASES: Readonly<Record<string, string>> = {
  A10G: "A10",
  A100: "A100-40GB",
  "H100!": "H100",
  "B200+": "B200",
};

export interface ModalGpu {
  /** What Modal is asked for: `A100-80GB:2`. */
  readonly wish: string;
  /** The type that the price is known of. */
  readonly type: string;
  readonly count: number;
}

/** `modal_gpu` as a list, the first that is to be had is taken: `H100:2, A100-80GB`. @throws modal_gpu_unknown */
export function parseGpus(text: string): ModalGpu[] {
  return text
    .split(/[,\s]+/)
    .filter((part) => part !== "")
    .map(parseGpu);
}

/** One GPU wish in Modal's words, any case. @throws modal_gpu_unknown */
export function parseGpu(text: string): ModalGpu {
  const [, name = "", count = "1"] = /^([^:]*)(?::([1-8]))?$/.exec(text.trim()) ?? [];
  const asked = name.toUpperCase();
  const type = ALIASES[asked] ?? asked;
  if (MODAL_GPUS[type] === undefined) throw refuseGpu(text);
  return { wish: count === "1" ? asked : `${asked}:${count}`, type, count: Number(count) };
}

function refuseGpu(gpu: string): SortieError {
  const known = Object.keys(MODAL_GPUS);
  const nearest = findNearest(gpu.split(":")[0] ?? "", known);
  const suggestion = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return new SortieError("modal_gpu_unknown", { gpu, known, suggestion });
}
