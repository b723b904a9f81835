import { countOf } from "../../base/count-of.ts";
import { SortieError } from "../../base/error.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { settleRuns } from "../settle-runs.ts";
import { findPersonName, stopRun } from "../stop-run.ts";
import { ensureWatcher } from "../watcher.ts";
import { askJob } from "./ask-job.ts";
import { isFleetEnded } from "./fleet.ts";
import { changeFleet, findFleet, loadFleet } from "./fleet-store.ts";
import { loadSeats } from "./load-seats.ts";
import { type FleetView, lookAtFleet, STOPPED_BY } from "./show-fleet.ts";

export interface FleetStopped {
  readonly fleet: FleetView;
  /** It had ended before; nothing was done. */
  readonly wasEnded: boolean;
  /** What is lost by it, a clause for people; null: nothing. */
  readonly lost: string | null;
  /** Numbers of processes that outlived KILL. */
  readonly survivors: readonly number[];
}

/**
 * Ends every agent of a fleet at once, each with its whole group, and makes sure of it. While the job is live, or cannot be
 * asked, that is refused without `force`: what is in flight is lost. `graceS`: between TERM and KILL; null: as planned.
 * @throws fleet_unknown, fleet_ambiguous, fleet_stop_live
 */
export async function stopFleet(
  desk: Desk,
  wanted: string | null,
  { graceS, force }: { readonly graceS: number | null; readonly force: boolean },
): Promise<FleetStopped> {
  const { id } = findFleet(desk.store, wanted);
  const before = await lookAtFleet(desk, id);
  if (isFleetEnded(before)) return { fleet: before, wasEnded: true, lost: null, survivors: [] };
  const lost = describeLoss(before);
  if (!force) await refuseLive(desk, before, lost);
  const cause = `${STOPPED_BY}${findPersonName(desk.env)}`;
  changeFleet(desk.store, id, { state: "draining", cause }); // from now on the watcher starts none
  const survivors = await stopAll(desk, id, graceS);
  ensureWatcher(desk); // their logs are brought home
  return { fleet: await lookAtFleet(desk, id), wasEnded: false, lost, survivors };
}

/** What ending a fleet now loses, a clause; null: no agent of it is up. */
function describeLoss({ agents }: Pick<FleetView, "agents">): string | null {
  const live = agents.filter(({ state }) => !["waiting", "drained", "failed", "stopped"].includes(state));
  const playing = live.filter(({ inFlight }) => inFlight > 0);
  const cases = playing.reduce((sum, { inFlight }) => sum + inFlight, 0);
  if (live.length === 0) return null;
  if (cases === 0) return `the places of ${countOf(live.length, "agent")}`;
  const which = `agent${playing.length === 1 ? "" : "s"} ${playing.map(({ number }) => number).join(", ")}`;
  return `${countOf(cases, "case")} in flight (${which})`;
}

async function refuseLive(desk: Desk, fleet: FleetView, lost: string | null): Promise<void> {
  if (lost === null) return;
  const now = await askJob(desk, fleet);
  if (now.kind === "over") return;
  const why =
    now.kind === "live"
      ? `its job is live (${now.said})`
      : `whether its job is live is not known (${now.said})`;
  throw new SortieError("fleet_stop_live", { fleet: fleet.name, id: fleet.id, why, lost });
}

/** Those that were taken up for a start in this very moment are found by the second look. */
async function stopAll(desk: Desk, id: string, graceS: number | null): Promise<number[]> {
  const survivors: number[] = [];
  for (let looks = 0; looks < 2; looks += 1) {
    const live = loadSeats(desk, loadFleet(desk.store, id)).filter(({ state }) => !isEnded(state));
    if (live.length === 0) break;
    const stopped = await Promise.allSettled(live.map((run) => stopRun(desk, run.id, { graceS })));
    survivors.push(...stopped.flatMap((one) => (one.status === "fulfilled" ? one.value.survivors : [])));
    const failed = stopped.find((one) => one.status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    await settleRuns(desk);
  }
  return survivors;
}
