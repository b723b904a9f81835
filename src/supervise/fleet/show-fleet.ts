import type { RunRecord } from "../../runs/run-record.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { makeFleetEndedNotice } from "../news/fleet-notice.ts";
import { openNews } from "../news/open-news.ts";
import { settleRuns } from "../settle-runs.ts";
import { isSilence } from "../silence.ts";
import { keepWatcher } from "../watcher.ts";
import { askJob } from "./ask-job.ts";
import { type Fleet, isFleetEnded } from "./fleet.ts";
import { describeOutcome, judgeOutcome } from "./fleet-outcome.ts";
import { changeFleet, findFleet, listFleets, loadFleet } from "./fleet-store.ts";
import { type AgentView, judgeAgent } from "./judge-agent.ts";
import { loadSeats } from "./load-seats.ts";
import { type AgentMemory, makeAgentMemory, readAgents } from "./read-agent.ts";

/** How the cause of a fleet begins that somebody stopped; who did is the cause of its end, too. */
export const STOPPED_BY = "stopped by ";

/** A fleet as it is seen now. */
export interface FleetView extends Fleet {
  readonly agents: readonly AgentView[];
}

/** The fleets that live, and `limit` ended ones; newest first. */
export async function loadFleetViews(desk: Desk, limit = 5): Promise<FleetView[]> {
  await settleRuns(desk);
  keepWatcher(desk);
  const fleets = listFleets(desk.store);
  const ended = fleets.filter(isFleetEnded).slice(0, limit);
  const shown = fleets.filter((fleet) => !isFleetEnded(fleet) || ended.includes(fleet));
  return Promise.all(shown.map((fleet) => makeView(desk, fleet, makeAgentMemory())));
}

/**
 * The fleet of that id, name, job or unique start (null: the live one, else the newest), as it is now. Who looks again and
 * again hands in the same memory.
 * @throws fleet_unknown, fleet_ambiguous
 */
export async function lookAtFleet(
  desk: Desk,
  wanted: string | null,
  memory: AgentMemory = makeAgentMemory(),
): Promise<FleetView> {
  const { id } = findFleet(desk.store, wanted);
  await settleRuns(desk);
  keepWatcher(desk);
  return makeView(desk, loadFleet(desk.store, id), memory);
}

/** The same from what is on record, without asking the host. @throws fleet_unknown */
export async function loadFleetView(desk: Desk, id: string): Promise<FleetView> {
  return makeView(desk, loadFleet(desk.store, id), makeAgentMemory());
}

async function makeView(desk: Desk, fleet: Fleet, memory: AgentMemory): Promise<FleetView> {
  const runs = loadSeats(desk, fleet);
  if (runs.some(isOutOfReach)) return viewSilent(fleet, runs);
  try {
    const agents = await viewAgents(desk, fleet, runs, memory);
    return { ...(await settleFleet(desk, fleet, runs, agents)), agents };
  } catch (fault) {
    if (isSilence(fault)) return viewSilent(fleet, runs);
    throw fault;
  }
}

/** It was asked a moment ago. */
function isOutOfReach({ remote, reachable, state }: RunRecord): boolean {
  return Boolean(remote) && !reachable && !isEnded(state);
}

/** What is on record of agents whose host does not answer. */
function viewSilent(fleet: Fleet, runs: readonly RunRecord[]): FleetView {
  return { ...fleet, agents: runs.map((run) => judgeAgent(run, null, fleet, false)) };
}

/**
 * `memory: null` reads only the end of the events: right for what an agent does, not for its counts.
 * @throws what keeps a host over the network from answering
 */
export async function viewAgents(
  desk: Desk,
  fleet: Fleet,
  runs: readonly RunRecord[],
  memory: AgentMemory | null,
): Promise<AgentView[]> {
  const isOnlyOne = runs.filter(({ startedAt }) => startedAt !== null).length === 1;
  const isServed = isOnlyOne && fleet.jobSaid?.isServed === true;
  const files = await readAgents(desk, runs, memory);
  return runs.map((run, place) => {
    const isMeant = isServed && run.startedAt !== null && run.state === "running";
    return judgeAgent(run, files[place] ?? null, fleet, isMeant);
  });
}

/** A fleet whose last agent has ended is over, whoever sees it first. */
export async function settleFleet(
  desk: Desk,
  fleet: Fleet,
  runs: readonly RunRecord[],
  agents: readonly AgentView[],
): Promise<Fleet> {
  if (isFleetEnded(fleet) || runs.some(({ state }) => !isEnded(state))) return fleet;
  const outcome = judgeOutcome(await doubtSilent(desk, fleet, agents));
  const endedAt =
    runs
      .map((run) => run.endedAt ?? "")
      .sort()
      .at(-1) || desk.clock.now().toISOString();
  const isStopped = fleet.cause?.startsWith(STOPPED_BY) === true && !outcome.isDrained;
  const cause = isStopped ? fleet.cause : describeOutcome(outcome);
  const news = await openNews(desk);
  return desk.store.together(() => {
    const ended = changeFleet(desk.store, fleet.id, { state: "ended", endedAt, cause, outcome });
    news?.add(makeFleetEndedNotice(ended));
    return ended;
  });
}

/** A program that ended well, but never said that it ran, has served nothing where the challenge says that its job is live. */
async function doubtSilent(
  desk: Desk,
  fleet: Fleet,
  agents: readonly AgentView[],
): Promise<readonly (Omit<AgentView, "state"> & { readonly state: string })[]> {
  const isSilent = ({ state, wasReady }: AgentView) => state === "drained" && !wasReady;
  if (fleet.runner.kind !== "script" || fleet.jobSaid?.isServed || !agents.some(isSilent)) return agents;
  const { kind } = await askJob(desk, fleet);
  if (kind !== "live") return agents;
  const note = "it ended with code 0 without having said RUNNING, and the job is live";
  return agents.map((agent) => (isSilent(agent) ? { ...agent, state: "unknown", note } : agent));
}

/** A fleet as `--json` prints it. No secret stands in it. */
export function makeFleetDocument(view: FleetView) {
  const { jobSaid: _, runs: __, agents, ...facts } = view;
  return { ...facts, agents: agents.map(({ wasReady: _, hasStarted: __, ...agent }) => agent) };
}
