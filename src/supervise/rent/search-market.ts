import type { RentNeeds } from "../../targets/vast/needs.ts";
import { type Ranking, rankOffers } from "../../targets/vast/rank-offers.ts";
import type { Vast } from "./open-account.ts";

/** What is to be had now of what is needed. */
export async function searchMarket(vast: Pick<Vast, "searchOffers">, needs: RentNeeds): Promise<Ranking> {
  return rankOffers(await vast.searchOffers(needs), needs);
}
