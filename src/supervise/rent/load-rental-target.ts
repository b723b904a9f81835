import { basename } from "node:path";
import { SortieError } from "../../base/error.ts";
import { type ChosenTarget, chooseTargetFor } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import type { RentalTerms } from "./rental-terms.ts";

/** The target of a rental as it is configured now. @throws trust_needed, and what choosing a target throws */
export async function loadRentalTarget(
  desk: Desk,
  { place }: Pick<RentalTerms, "place">,
): Promise<ChosenTarget> {
  const choice = await chooseTargetFor(desk, place, { mayRent: true });
  if ("trust" in choice) throw new SortieError("trust_needed", { file: choice.trust.file });
  return furnish(choice.target);
}

/** A fresh machine has no checkout that could pull, and no code folder that somebody has chosen. */
export function furnish(chosen: ChosenTarget): ChosenTarget {
  const { section, settings, projectFolder } = chosen;
  const { codeDir = `/workspace/${basename(projectFolder)}` } = section;
  return { ...chosen, section: { ...section, codeDir }, settings: { ...settings, codeSync: "rsync" } };
}
