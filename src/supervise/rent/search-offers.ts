import { readFileSync } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import { makeLocalTarget } from "../../config/target.ts";
import { guessNeeds, type NeedHint } from "../../targets/vast/guess-needs.ts";
import { type RentFlags, readNeeds } from "../../targets/vast/needs.ts";
import type { Ranking } from "../../targets/vast/rank-offers.ts";
import { loadConfigFor, type TargetPlace } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { describeNeeds } from "./describe-rental.ts";
import { openAccount } from "./open-account.ts";
import { describeOtherGpus, searchMarket } from "./search-market.ts";

export interface Search extends Ranking {
  /** What was looked for, and where that was said. */
  readonly needs: string;
  /** What a script seems to need: not looked for. */
  readonly hints: readonly NeedHint[];
  /** What else would do, where nothing of the GPU's name is there; null: nothing, or all is well. */
  readonly others: string | null;
}

/** What is to be had now; nothing is rented. @throws value_bad, vast_key_missing, and what asking the vendor throws */
export async function searchForTarget(
  desk: Desk,
  place: TargetPlace,
  { flags, script }: { readonly flags: RentFlags; readonly script: string | null },
): Promise<Search> {
  const config = await loadConfigFor(desk, place.cwd);
  const section = config.targets.find(({ kind, name }) => kind === "vast" && (place.wanted ?? name) === name);
  const found = readNeeds(config, section ?? makeLocalTarget(), flags);
  const vast = openAccount(desk);
  const ranking = await searchMarket(vast, found.needs);
  return {
    ...ranking,
    needs: describeNeeds(found),
    others: ranking.cheapest === null ? await describeOtherGpus(vast, found.needs) : null,
    hints: script === null ? [] : guessNeeds(readScript(script)),
  };
}

function readScript(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (fault) {
    const reason = describeFault(fault);
    throw new SortieError("file_unreadable", { path, reason, advice: "Name a script that is there." });
  }
}
