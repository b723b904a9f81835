import { listNearGpus } from "../../targets/vast/near-gpus.ts";
import type { RentNeeds } from "../../targets/vast/needs.ts";
import { type Ranking, rankOffers } from "../../targets/vast/rank-offers.ts";
import type { Vast } from "./open-account.ts";

/** What is to be had now of what is needed. */
export async function searchMarket(vast: Pick<Vast, "searchOffers">, needs: RentNeeds): Promise<Ranking> {
  return rankOffers(await vast.searchOffers(needs), needs);
}

/**
 * Where nothing of a GPU's name is to be had: others that would do, the likely ones first, in a sentence. A name is matched
 * exactly. null: no name was asked for, or nothing else is there either.
 */
export async function describeOtherGpus(
  vast: Pick<Vast, "searchOffers">,
  needs: RentNeeds,
): Promise<string | null> {
  const { gpuName } = needs;
  if (gpuName === null) return null;
  const { fitting } = await searchMarket(vast, { ...needs, gpuName: null });
  if (fitting.length === 0) return null;
  const near = listNearGpus(
    gpuName,
    fitting.map(({ offer }) => offer.gpuName),
  );
  return `The name of a GPU is matched exactly, and no ${gpuName} is to be had; there are: ${near.join(", ")}.`;
}
