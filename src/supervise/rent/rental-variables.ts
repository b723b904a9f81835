import type { Desk } from "../desk.ts";
import { loadValues, removeVariables } from "../plan-variables.ts";
import type { RentalTerms } from "./rental-terms.ts";

/** The values of --env and --env-file, which lie beside the plan until now. @throws plan_stale when they are gone */
export function loadRentalVariables(
  desk: Desk,
  plan: string,
  { request }: Pick<RentalTerms, "request">,
): Readonly<Record<string, string>> {
  const values = loadValues(desk, plan, request.envNames);
  removeVariables(desk, plan);
  return values;
}
