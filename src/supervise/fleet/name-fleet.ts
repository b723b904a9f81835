import { listLiveRuns } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { listPlannedNames } from "../plan.ts";

/** `agents-` and the beginning of the job, and a number where that is taken; its agents add their own. */
export function nameFleet(desk: Desk, jobUuid: string | null, k: number): string {
  const taken = new Set([...listLiveRuns(desk.store).map(({ name }) => name), ...listPlannedNames(desk)]);
  const base = `agents-${(jobUuid ?? "new").replace(/[^A-Za-z0-9_-]/g, "").slice(0, 8)}`;
  const isTaken = (name: string) =>
    taken.has(name) ||
    Array.from({ length: k }, (_, place) => nameSeat(name, place + 1)).some((one) => taken.has(one));
  let name = base;
  for (let number = 2; isTaken(name); number += 1) name = `${base}.${number}`;
  return name;
}

/** The run of the agent with this number. */
export function nameSeat(fleet: string, number: number): string {
  return `${fleet}-${number}`;
}
