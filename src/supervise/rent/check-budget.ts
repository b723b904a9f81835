import { formatDollars } from "../../base/dollars.ts";
import { SortieError } from "../../base/error.ts";
import { loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { listOpenInstances } from "./instance-store.ts";
import type { RentalTerms } from "./rental-terms.ts";

/**
 * One budget of the configuration is for all machines that are rented under it at a time; a cap given for one run is that run's
 * alone. Inside the caller's transaction, so that of two that rent at once the second sees the first. @throws rent_over_budget
 */
export function checkBudget(desk: Desk, { budget, mostDollars, name }: RentalTerms): void {
  if (budget === null || mostDollars === null) return;
  const others = listOpenInstances(desk.store).filter((one) => one.isRented && one.budget === budget);
  const taken = others.reduce((sum, one) => sum + (one.mostDollars ?? 0), 0);
  if (taken === 0) return; // each may spend all of it
  throw new SortieError("rent_over_budget", {
    planned: name,
    ...{ budget: formatDollars(mostDollars), source: budget, taken: formatDollars(taken) },
    others: others.map(({ run }) => loadRun(desk.store, run).name),
  });
}
