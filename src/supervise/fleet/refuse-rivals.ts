import { SortieError } from "../../base/error.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { findHostNow } from "../host-clock.ts";
import { type Fleet, isFleetEnded } from "./fleet.ts";
import { listFleets } from "./fleet-store.ts";
import { loadSeats } from "./load-seats.ts";

/** For so long the gateway keeps the place of an agent whose link was lost. */
const WINDOW_S = 30;

/** @throws fleet_live, fleet_window (naming the owner) where agents of this job are there, or may still count at the gateway */
export function refuseRivals(desk: Desk, jobUuid: string): void {
  for (const fleet of listFleets(desk.store).filter((one) => one.jobUuid === jobUuid)) {
    const runs = loadSeats(desk, fleet);
    if (!isFleetEnded(fleet) && runs.some(({ state }) => !isEnded(state))) throw refuseLive(fleet);
    const held = runs.find((run) => findAgeS(desk, run) < WINDOW_S);
    if (held !== undefined) throw refuseWindow(fleet, held, findAgeS(desk, held));
  }
}

function refuseLive({ jobUuid, name, id, k, state, createdAt }: Fleet): SortieError {
  const fleet = `${name} (${id})`;
  return new SortieError("fleet_live", { job: jobUuid, fleet, k, state, since: createdAt });
}

function refuseWindow({ name }: Fleet, run: RunRecord, ageS: number): SortieError {
  const secondsAgo = Math.floor(ageS);
  return new SortieError("fleet_window", {
    run: run.name,
    fleet: name,
    secondsAgo,
    waitS: WINDOW_S - secondsAgo,
  });
}

/** Since an agent's end that the gateway may take for a lost link; one that was drained, or never started, leaves none. */
function findAgeS(desk: Desk, run: RunRecord): number {
  const { state, startedAt, endedAt } = run;
  if (!isEnded(state) || state === "succeeded" || startedAt === null || endedAt === null)
    return Number.POSITIVE_INFINITY;
  return (findHostNow(run, desk.clock.now()).getTime() - Date.parse(endedAt)) / 1000;
}
