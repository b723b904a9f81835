import { randomUUID } from "node:crypto";
import type { RunRecord } from "../../runs/run-record.ts";
import { loadRun } from "../../runs/run-store.ts";
import type { Seat } from "../../runs/seat.ts";
import type { Desk } from "../desk.ts";
import { findHostNow } from "../host-clock.ts";
import type { OnStep } from "../launch-steps.ts";
import { startSeat } from "../start-seat.ts";
import { askJob } from "./ask-job.ts";
import { chooseNext, type SeatSeen } from "./choose-next.ts";
import { dismissSeats } from "./dismiss-seats.ts";
import type { Fleet, FleetState } from "./fleet.ts";
import { changeFleet, listLiveFleets, loadFleet } from "./fleet-store.ts";
import type { AgentView } from "./judge-agent.ts";
import { loadSeats, nameFleetHost } from "./load-seats.ts";
import { settleFleet, viewAgents } from "./show-fleet.ts";

/** Within the reconnect window of the gateway, less what an agent needs to start. */
const SAME_ID_MS = 25_000;
const ASK_EVERY_MS = 5000;

/**
 * Starts the next agents of each live fleet of a host, ends those that shall not be started any more, and puts the end of a
 * fleet on record. For the watcher alone, which has looked at the runs just before. @param host as `nameHostOf` names it
 */
export async function tendFleets(desk: Desk, onStep: OnStep, host: string): Promise<void> {
  const faults: unknown[] = [];
  for (const fleet of listLiveFleets(desk.store)) {
    if (nameFleetHost(desk, fleet) !== host) continue;
    try {
      await tendFleet(desk, fleet.id, onStep);
    } catch (fault) {
      faults.push(fault); // the other fleets are seen to all the same
    }
  }
  if (faults.length > 0) throw faults[0];
}

async function tendFleet(desk: Desk, id: string, onStep: OnStep): Promise<void> {
  const fleet = await hearOfJob(desk, loadFleet(desk.store, id));
  const runs = loadSeats(desk, fleet);
  const views = await viewAgents(desk, fleet, runs, null);
  const seats = runs.map((run, place) => describeSeat(run, views[place] as AgentView));
  const step = chooseNext(fleet, seats, desk.clock.now().getTime());
  if (step.do === "over") return void (await settleFleet(desk, fleet, runs, views));
  if (step.do === "dismiss") {
    changeFleet(desk.store, id, { state: "draining", cause: fleet.cause ?? step.why });
    return dismissSeats(desk, runs, step.why);
  }
  if (step.do === "start") await startFirst(desk, id, { runs, numbers: step.numbers, onStep });
  keepState(desk, loadFleet(desk.store, id), seats);
}

/** A launcher script whose log is silent: the challenge knows whether the job has its agent. */
async function hearOfJob(desk: Desk, fleet: Fleet): Promise<Fleet> {
  if (fleet.runner.kind !== "script" || fleet.state !== "starting" || fleet.jobSaid?.isServed) return fleet;
  if (loadSeats(desk, fleet).filter(({ startedAt }) => startedAt !== null).length !== 1) return fleet;
  const now = desk.clock.now();
  if (fleet.jobSaid !== null && now.getTime() - Date.parse(fleet.jobSaid.at) < ASK_EVERY_MS) return fleet;
  const said = await askJob(desk, fleet);
  const isServed = said.kind === "live" && said.isServed;
  return changeFleet(desk.store, fleet.id, { jobSaid: { at: now.toISOString(), isServed } });
}

/** Times of starts are by the clock of the host, the others by ours. */
function describeSeat(run: RunRecord, view: AgentView): SeatSeen {
  const { seat, startedAt, clockSkewS = 0 } = run;
  return {
    ...{ number: view.number, runState: run.state, wasReady: view.wasReady },
    hasStarted: startedAt !== null,
    isDrained: view.state === "draining" || view.state === "drained",
    startedAtMs: startedAt === null ? null : Date.parse(startedAt) - clockSkewS * 1000,
    isRestart: run.state === "waiting" && (seat?.restarts ?? 0) > 0,
    notBeforeMs: seat?.notBefore ? Date.parse(seat.notBefore) : null,
  };
}

interface Starts {
  readonly runs: readonly RunRecord[];
  readonly numbers: readonly number[];
  readonly onStep: OnStep;
}

async function startFirst(desk: Desk, id: string, { runs, numbers, onStep }: Starts): Promise<void> {
  for (const number of numbers) {
    const run = runs.find(({ seat }) => seat?.number === number);
    // Somebody may be stopping the fleet at this moment.
    if (run?.seat == null || loadFleet(desk.store, id).state === "draining") return;
    const seat = chooseAgentId(run.seat, findHostNow(run, desk.clock.now()).getTime(), randomUUID);
    await startSeat(desk, { ...loadRun(desk.store, run.id), seat }, onStep);
    // Whatever became of it, it had its turn, unless others hold its GPU.
    if (loadRun(desk.store, run.id).state !== "waiting") return;
  }
}

/**
 * The id under which an agent is started again: its own while the gateway still waits for that one, so that its session
 * goes on; else a fresh one, since the old one is refused from then on. `nowMs` by the clock of its host.
 */
export function chooseAgentId(seat: Seat, nowMs: number, makeUuid: () => string): Seat {
  if (seat.attemptEndedAt === null) return seat;
  if (nowMs - Date.parse(seat.attemptEndedAt) < SAME_ID_MS) return seat;
  return { ...seat, agentId: makeUuid() };
}

/** `draining` is final: it was decided by a drain or by a person. */
function keepState(desk: Desk, { id, state }: Fleet, seats: readonly SeatSeen[]): void {
  if (state === "draining" || state === "ended") return;
  const next: FleetState = seats.some(({ isDrained }) => isDrained)
    ? "draining"
    : seats.every(({ hasStarted }) => hasStarted)
      ? "running"
      : "starting";
  const cause = next === "draining" ? { cause: "the job is being drained" } : {};
  if (next !== state) changeFleet(desk.store, id, { state: next, ...cause });
}
