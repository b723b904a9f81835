import { parse } from "yaml";
import { describeFault, SortieError } from "../../base/error.ts";
import { isNumber, isObject } from "../../base/shape.ts";
import { MODAL_GPUS, type ModalGpu, parseGpu } from "./gpu-name.ts";

const OLD_AFTER_DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;

/** What Modal asks, in dollars. Every region and every discount has prices of its own: it is an estimate. */
export interface ModalPrices {
  /** The day on which they were right, as `2026-09-19`. */
  readonly asOf: string;
  readonly source: string;
  /** By type, for one GPU and second. */
  readonly gpuPerSecond: Readonly<Record<string, number>>;
  readonly corePerSecond: number;
  readonly gibPerSecond: number;
}

export const MODAL_PRICES: ModalPrices = {
  asOf: "2026-09-19",
  source: "modal.com/pricing, as public projects quote it",
  gpuPerSecond: {
    T4: 0.000164,
    L4: 0.000222,
    A10: 0.000306,
    L40S: 0.000542,
    "A100-40GB": 0.000583,
    "A100-80GB": 0.000694,
    "RTX-PRO-6000": 0.000842,
    H100: 0.001097,
    H200: 0.001261,
    B200: 0.001736,
    B300: 0.001972,
  },
  corePerSecond: 0.0000131,
  gibPerSecond: 0.00000222,
};

/** What a container uses beside its GPUs is billed, too; so much is assumed, for each GPU. */
const ASSUMED = { cores: 2, memoryGib: 16 };

/** Prices of a person's own file, JSON or YAML; what it does not name stays as it is. @throws modal_prices_unreadable */
export function readPrices(text: string, file: string, base: ModalPrices = MODAL_PRICES): ModalPrices {
  const refuse = (reason: string) => new SortieError("modal_prices_unreadable", { file, reason });
  const read = parseText(text, refuse);
  if (!isObject(read)) throw refuse("it is no table");
  const { asOf, source, gpus } = read;
  if (typeof asOf !== "string" || Number.isNaN(Date.parse(asOf))) throw refuse("`asOf` is no day");
  if (typeof source !== "string" || source === "") throw refuse("`source` is missing");
  if (!isObject(gpus)) throw refuse("`gpus` is missing");
  const given = Object.entries(gpus).map(([name, dollarsPerHour]) => {
    if (!isNumber(dollarsPerHour) || (dollarsPerHour as number) <= 0) throw refuse(`${name} has no price`);
    return [parseGpu(name).type, (dollarsPerHour as number) / 3600] as const;
  });
  return { ...base, asOf, source, gpuPerSecond: { ...base.gpuPerSecond, ...Object.fromEntries(given) } };
}

function parseText(text: string, refuse: (reason: string) => SortieError): unknown {
  try {
    return parse(text, { schema: "core" });
  } catch (fault) {
    throw refuse(describeFault(fault));
  }
}

/** Whether the prices are too old to be shown without a word about it. */
export function isOld({ asOf }: ModalPrices, now: Date): boolean {
  return now.getTime() - Date.parse(asOf) > OLD_AFTER_DAYS * DAY_MS;
}

export interface CostEstimate {
  readonly dollarsPerHour: number;
  /** For the whole time. */
  readonly dollars: number;
  /** For people: what it is made of. */
  readonly basis: string;
}

/**
 * What so many seconds cost at most, by these prices: of several GPU wishes the dearest counts, since any may be taken.
 * Without a GPU, what is assumed for one is what a container has.
 */
export function estimateCost(
  { gpus, seconds }: { readonly gpus: readonly ModalGpu[]; readonly seconds: number },
  prices: ModalPrices = MODAL_PRICES,
): CostEstimate {
  const perSecond = (gpu: ModalGpu | null) => {
    const count = gpu?.count ?? 1;
    const rest = ASSUMED.cores * prices.corePerSecond + ASSUMED.memoryGib * prices.gibPerSecond;
    return count * ((gpu === null ? 0 : (prices.gpuPerSecond[gpu.type] ?? 0)) + rest);
  };
  const rate = gpus.length === 0 ? perSecond(null) : Math.max(...gpus.map(perSecond));
  const each = gpus.length === 0 ? "" : " for each GPU";
  const assumed = `${ASSUMED.cores} cores and ${ASSUMED.memoryGib} GiB of memory${each} are assumed`;
  const basis = `${prices.source}, ${prices.asOf}; ${assumed}`;
  return { dollarsPerHour: rate * 3600, dollars: rate * seconds, basis };
}

/** The cheapest type whose one GPU has so much memory; null: none has. */
export function findCheapestGpu(memoryGib: number, prices: ModalPrices = MODAL_PRICES): ModalGpu | null {
  const fitting = Object.entries(MODAL_GPUS)
    .filter(([type, gpu]) => gpu.memoryGib >= memoryGib && prices.gpuPerSecond[type] !== undefined)
    .sort(([a], [b]) => (prices.gpuPerSecond[a] as number) - (prices.gpuPerSecond[b] as number));
  const cheapest = fitting[0]?.[0];
  return cheapest === undefined ? null : { wish: cheapest, type: cheapest, count: 1 };
}
