import { formatDollars } from "../../base/dollars.ts";
import type { RentNeeds } from "./needs.ts";
import type { Offer } from "./offer.ts";

export interface RankedOffer {
  readonly offer: Offer;
  /** US dollars for the hours asked for, storage included, traffic not; null: no hours were named. */
  readonly totalDollars: number | null;
  /** How long the cap pays for it; null: there is no cap. */
  readonly hoursWithinCap: number | null;
  /** What a person should know before paying. */
  readonly cautions: readonly string[];
}

export interface Ranking {
  /** null: nothing fits. */
  readonly cheapest: RankedOffer | null;
  /** By the vendor's own score for a dollar; null: nothing that fits has one. */
  readonly bestValue: RankedOffer | null;
  /** By the vendor's own score. */
  readonly fastest: RankedOffer | null;
  /** All that fit, cheapest first: the order in which one after another is tried. */
  readonly fitting: readonly RankedOffer[];
  /** Each with the first need that it does not meet. */
  readonly unfit: readonly { readonly offer: Offer; readonly reason: string }[];
}

/** Below this the vendor's own measure says that a machine goes away now and then. */
const GOOD_RELIABILITY = 0.95;

/** Less than any price; products of prices and hours are not exact. */
const ROUNDING = 1e-9;

/** Offers side by side. What the vendor was asked for is checked again: a reply may hold more, or a price have moved. */
export function rankOffers(offers: readonly Offer[], needs: RentNeeds): Ranking {
  const judged = offers.map((offer) => ({ offer, reason: findUnmetNeed(offer, needs) }));
  const fitting = judged
    .filter(({ reason }) => reason === null)
    .map(({ offer }) => makeRanked(offer, needs))
    .sort(compareByPrice);
  return {
    cheapest: fitting[0] ?? null,
    bestValue: findHighest(fitting, findValueScore),
    fastest: findHighest(fitting, ({ dlperf }) => dlperf),
    fitting,
    unfit: judged.flatMap(({ offer, reason }) => (reason === null ? [] : [{ offer, reason }])),
  };
}

/** The first need that an offer does not meet, in words; null: it meets all. */
function findUnmetNeed(offer: Offer, needs: RentNeeds): string | null {
  const { dollarsPerHour } = offer;
  const total = needs.hours === null ? null : dollarsPerHour * needs.hours;
  const rows: [isMet: boolean, reason: string][] = [
    [needs.gpuName === null || isSameGpu(offer.gpuName, needs.gpuName), `its GPU is ${offer.gpuName}`],
    [offer.gpuCount === needs.gpuCount, `it has ${offer.gpuCount} GPUs`],
    [offer.gpuMemoryMiB >= (needs.gpuMemoryMiB ?? 0), `its GPU has ${offer.gpuMemoryMiB} MiB`],
    [offer.diskGb >= needs.diskGb, `it has ${Math.floor(offer.diskGb)} GB of disk`],
    [(offer.cuda ?? 0) >= (needs.cuda ?? 0), `its driver runs CUDA ${offer.cuda ?? "unknown"}`],
    [
      (offer.hoursLeft ?? Infinity) >= (needs.hours ?? 0),
      `it is to be had for ${offer.hoursLeft?.toFixed(1)} h only`,
    ],
    [
      dollarsPerHour <= (needs.maxDollarsPerHour ?? Infinity) + ROUNDING,
      `an hour costs ${formatDollars(dollarsPerHour)}, above the most of ${formatDollars(needs.maxDollarsPerHour ?? 0)}`,
    ],
    [
      (total ?? 0) <= (needs.maxDollars ?? Infinity) + ROUNDING,
      `${needs.hours} h cost ${formatDollars(total ?? 0)}, above the cap of ${formatDollars(needs.maxDollars ?? 0)}`,
    ],
  ];
  return rows.find(([isMet]) => !isMet)?.[1] ?? null;
}

function makeRanked(offer: Offer, { hours, maxDollars }: RentNeeds): RankedOffer {
  const { dollarsPerHour, reliability, dollarsPerGbDown } = offer;
  const cautions = [
    reliability === null && "its reliability is not known",
    reliability !== null &&
      reliability < GOOD_RELIABILITY &&
      `reliability ${(reliability * 100).toFixed(1)}%: it may go away in mid-run`,
    dollarsPerGbDown !== null &&
      dollarsPerGbDown >= 0.02 &&
      `each GB that it downloads costs ${formatDollars(dollarsPerGbDown)}`,
  ];
  return {
    offer,
    totalDollars: hours === null ? null : dollarsPerHour * hours,
    hoursWithinCap: maxDollars === null ? null : maxDollars / dollarsPerHour,
    cautions: cautions.filter((caution) => caution !== false),
  };
}

function compareByPrice({ offer: one }: RankedOffer, { offer: other }: RankedOffer): number {
  return (
    one.dollarsPerHour - other.dollarsPerHour ||
    (other.reliability ?? 0) - (one.reliability ?? 0) ||
    one.id - other.id
  );
}

/** The first, so the cheapest, of those with the highest score. */
function findHighest(
  ranked: readonly RankedOffer[],
  findScore: (offer: Offer) => number | null,
): RankedOffer | null {
  let best: RankedOffer | null = null;
  let bestScore = 0;
  for (const candidate of ranked) {
    const score = findScore(candidate.offer) ?? 0;
    if (score > bestScore) [best, bestScore] = [candidate, score];
  }
  return best;
}

function findValueScore({ dlperf, dlperfPerDollar, dollarsPerHour }: Offer): number | null {
  if (dlperfPerDollar !== null) return dlperfPerDollar;
  return dlperf === null || dollarsPerHour === 0 ? null : dlperf / dollarsPerHour;
}

function isSameGpu(one: string, other: string): boolean {
  const plain = (name: string) => name.replace(/[\s_-]+/g, " ").toLowerCase();
  return plain(one) === plain(other);
}
