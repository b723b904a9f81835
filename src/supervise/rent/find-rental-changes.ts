import { formatDollars } from "../../base/dollars.ts";
import { listChangedFiles } from "../../config/footprint.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import { hashTargetNow } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { draftRentalCode } from "./draft-rental-code.ts";
import { loadRentalTarget } from "./load-rental-target.ts";
import { openAccount } from "./open-account.ts";
import type { RentalCondition, RentalTerms } from "./rental-terms.ts";
import { searchMarket } from "./search-market.ts";

/** What no longer holds of what a rental rests on: the section, the code, the price, the name. */
export async function findRentalChanges(
  desk: Desk,
  { terms, restsOn }: ActionPlan<RentalTerms, RentalCondition>,
): Promise<string[]> {
  const changes = await Promise.all(restsOn.map((condition) => findChange(desk, terms, condition)));
  return changes.filter((change) => change !== null);
}

async function findChange(
  desk: Desk,
  terms: RentalTerms,
  condition: RentalCondition,
): Promise<string | null> {
  switch (condition.kind) {
    case "config": {
      if (listChangedFiles(condition.files).length === 0) return null;
      const now = await hashTargetNow(desk, { ...terms.place, wanted: condition.target });
      return now === condition.hash ? null : `the target ${condition.target} is configured differently now`;
    }
    case "code": {
      const { hash } = await draftRentalCode(desk, terms.request, await loadRentalTarget(desk, terms));
      return hash === condition.hash ? null : "the files that would be sent changed";
    }
    case "offer": {
      const { cheapest } = await searchMarket(openAccount(desk), terms.needs);
      const most = formatDollars(condition.mostDollarsPerHour);
      if (cheapest === null) return "no machine that fits is to be had any more";
      const { dollarsPerHour } = cheapest.offer;
      if (dollarsPerHour <= condition.mostDollarsPerHour) return null;
      return `the cheapest that fits costs ${formatDollars(dollarsPerHour)} an hour now, above ${most}`;
    }
    case "name": {
      const row = desk.store.find("SELECT id FROM runs WHERE name = ? AND live = 1", condition.name);
      return row ? `a live run is already called ${condition.name} (${row["id"]})` : null;
    }
  }
}
