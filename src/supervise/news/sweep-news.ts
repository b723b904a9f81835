import { nameGpuWithModel } from "../../gpus/describe-gpu.ts";
import type { Gpu } from "../../gpus/gpu-report.ts";
import { makeNoticeKey, type Notice } from "../../notify/notice.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { listLiveRuns } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { findTargetOf } from "../find-target.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { listLiveFleets } from "../fleet/fleet-store.ts";
import { loadSeats } from "../fleet/load-seats.ts";
import { nameHostOf } from "../group-by-host.ts";
import { findHostNow } from "../host-clock.ts";
import { makeFleetLaunchedNotice, makeLaunchedNotice, type NameGpus } from "./launched-notice.ts";
import type { News } from "./news.ts";
import { hasNotice } from "./notice-rows.ts";
import { makeRestartNotice, makeSilenceNotice } from "./trouble-notices.ts";

/** A command that dies at once does so within this time; whoever launched it has looked, too, by then. */
const SETTLED_MS = 3_000;
/** What began before that is no news: notices may have been set up since. */
const NEWS_MS = 3600 * 1000;

/**
 * Tells what records show of live runs and fleets: launches, agents that are started again, hosts that are silent. It rests on
 * records alone, so that a watcher that comes after another finds what that one left; what is told already is not told again.
 * @param isSilentFor whether the host of that key (`nameHostOf`) has not answered for long
 */
export async function sweepNews(
  desk: Desk,
  news: News,
  isSilentFor: (host: string) => boolean,
): Promise<void> {
  const live = listLiveRuns(desk.store);
  for (const runs of groupSilent(live, isSilentFor)) {
    const notice = makeSilenceNotice(runs, desk.clock.now());
    if (notice !== null && isNew(desk, notice)) news.add(notice);
  }
  for (const run of live.filter((one) => isRestarting(desk, one))) {
    const notice = makeRestartNotice(run);
    if (isNew(desk, notice)) news.add(notice);
  }
  for (const run of live.filter((one) => isLaunched(desk, one))) {
    if (
      isNew(
        desk,
        makeLaunchedNotice(run, () => []),
      )
    )
      news.add(makeLaunchedNotice(run, await findNames(desk, [run])));
  }
  for (const fleet of listLiveFleets(desk.store).filter((one) => isFleetLaunched(desk, one))) {
    const runs = loadSeats(desk, fleet);
    if (
      runs.length > 0 &&
      isNew(
        desk,
        makeFleetLaunchedNotice(fleet, runs, () => []),
      )
    )
      news.add(makeFleetLaunchedNotice(fleet, runs, await findNames(desk, runs)));
  }
}

function isNew(desk: Desk, notice: Notice): boolean {
  return !hasNotice(desk.store, notice.subject, makeNoticeKey(notice));
}

function groupSilent(live: readonly RunRecord[], isSilentFor: (host: string) => boolean): RunRecord[][] {
  const groups = new Map<string, RunRecord[]>();
  for (const run of live) {
    const host = nameHostOf(run);
    if (!run.reachable && (isSilentFor(host) || isMachineDown(run)))
      groups.set(host, [...(groups.get(host) ?? []), run]);
  }
  return [...groups.values()];
}

/** Its vendor has said so: there is nothing to wait for. */
function isMachineDown({ silence }: RunRecord): boolean {
  return ["instance_down", "instance_stopped", "instance_away"].includes(silence?.code ?? "");
}

function isRestarting(desk: Desk, { state, seat }: RunRecord): boolean {
  if (state !== "waiting" || !seat || seat.restarts === 0 || seat.attemptEndedAt === null) return false;
  return desk.clock.now().getTime() - Date.parse(seat.attemptEndedAt) < NEWS_MS;
}

/** It lives, and has done so for a moment, by the clock of its host. Agents are told of with their fleet. */
function isLaunched(desk: Desk, run: RunRecord): boolean {
  if (run.state !== "running" || run.seat || run.startedAt === null || !run.reachable) return false;
  const ageMs = findHostNow(run, desk.clock.now()).getTime() - Date.parse(run.startedAt);
  return ageMs >= SETTLED_MS && ageMs < NEWS_MS;
}

/** Its last agent was started, or none is started any more. */
function isFleetLaunched(desk: Desk, { state, createdAt, runs }: Fleet): boolean {
  if (state !== "running" && state !== "draining") return false;
  if (desk.clock.now().getTime() - Date.parse(createdAt) > NEWS_MS) return false;
  return loadSeats(desk, { runs }).some(({ startedAt }) => startedAt !== null);
}

/** Asks their host what its GPUs are called; where it does not say, their UUIDs will do. */
async function findNames(desk: Desk, runs: readonly RunRecord[]): Promise<NameGpus> {
  const [asked] = runs.filter(({ gpus }) => gpus.length > 0);
  const known = asked === undefined ? [] : await loadGpusQuietly(desk, asked);
  return ({ gpus }) =>
    gpus.map((uuid) => {
      const gpu = known.find((one) => one.uuid === uuid);
      return gpu === undefined ? uuid : nameGpuWithModel(gpu);
    });
}

async function loadGpusQuietly(desk: Desk, run: RunRecord): Promise<readonly Gpu[]> {
  try {
    return (await findTargetOf(desk, run).loadGpus({ python: null })).gpus;
  } catch {
    return []; // a driver that hangs, a host that went silent this moment
  }
}
