import { type Offer, readOffer } from "../offer.ts";
import { needList, needRow } from "../read-value.ts";
import type { Caller } from "./caller.ts";

/** What an offer must have; null: it does not matter. */
export interface OfferQuery {
  /** As the vendor writes it, `RTX 4090`; underscores count as spaces. */
  readonly gpuName: string | null;
  readonly gpuCount: number;
  /** Of one GPU, as its driver tells it: a card sold with 24 GB has 24,564 MiB or so. */
  readonly gpuMemoryMiB: number | null;
  /** Also what the price of storage is reckoned for. */
  readonly diskGb: number;
  /** The CUDA that the driver must be able to run, such as 12.4. */
  readonly cuda: number | null;
  /** How long it must be there to rent. */
  readonly hours: number | null;
  readonly maxDollarsPerHour: number | null;
}

/** The vendor gives no more of them. */
const MOST_OFFERS = 64;

/** On-demand offers of verified hosts with a direct port, cheapest first. */
export async function searchOffers(caller: Caller, query: OfferQuery): Promise<Offer[]> {
  const reply = await caller.ask({
    call: "search offers",
    method: "POST",
    path: "/api/v0/bundles/",
    body: makeFilters(query),
  });
  const row = needRow(reply, "the reply to `search offers`");
  const offers = needList(row["offers"], "`offers` of the reply to `search offers`").map(readOffer);
  return offers.sort((one, other) => one.dollarsPerHour - other.dollarsPerHour);
}

function makeFilters(query: OfferQuery): Record<string, unknown> {
  const atLeast = (key: string, value: number | null) => (value === null ? {} : { [key]: { gte: value } });
  return {
    verified: { eq: true },
    external: { eq: false },
    rentable: { eq: true },
    rented: { eq: false },
    num_gpus: { eq: query.gpuCount },
    disk_space: { gte: query.diskGb },
    direct_port_count: { gte: 1 },
    ...(query.gpuName === null ? {} : { gpu_name: { eq: query.gpuName.replaceAll("_", " ") } }),
    ...atLeast("gpu_ram", query.gpuMemoryMiB),
    ...atLeast("cuda_max_good", query.cuda),
    ...atLeast("duration", query.hours === null ? null : query.hours * 3600),
    ...(query.maxDollarsPerHour === null ? {} : { dph_total: { lte: query.maxDollarsPerHour } }),
    order: [["dph_total", "asc"]],
    type: "on-demand",
    limit: MOST_OFFERS,
    allocated_storage: query.diskGb,
  };
}
