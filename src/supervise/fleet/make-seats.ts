import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { makeId } from "../../base/ids.ts";
import { appendEvent } from "../../runs/events.ts";
import { makeNewRun } from "../../runs/new-run.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { insertRun } from "../../runs/run-store.ts";
import { findRemote } from "../confirm-plan.ts";
import type { Desk } from "../desk.ts";
import { makePlanId, type Plan, savePlan, takePlan } from "../plan.ts";
import type { Fleet } from "./fleet.ts";
import { insertFleet } from "./fleet-store.ts";
import type { FleetJob, FleetTerms } from "./fleet-terms.ts";
import { makeSeatRequest } from "./make-pattern.ts";
import { nameFleet, nameSeat } from "./name-fleet.ts";
import type { FleetGpu } from "./offer-gpus.ts";
import { refuseRivals } from "./refuse-rivals.ts";

export interface Seated {
  readonly run: RunRecord;
  readonly plan: Plan;
}

/**
 * Puts a fleet on record with a run and a plan for each agent; all in one step with the pattern's use, so that a crash
 * leaves all of it or nothing. Their launcher is this process: where it dies now, none of them is ever started.
 * @throws fleet_live, fleet_window
 */
export function recordFleet(
  desk: Desk,
  terms: FleetTerms,
  job: FleetJob,
  pattern: Plan,
): { fleet: Fleet; seats: readonly Seated[] } {
  return desk.store.together(() => {
    refuseRivals(desk, job.jobUuid); // another command may have been quicker
    const fleet = makeFleet(desk, terms, job);
    const seats = fleet.runs.map((id, place) => recordSeat(desk, { id, place, fleet, pattern, terms, job }));
    takePlan(desk, pattern.id, fleet.id);
    insertFleet(desk.store, fleet);
    return { fleet, seats };
  });
}

function makeFleet(desk: Desk, terms: FleetTerms, job: FleetJob): Fleet {
  const k = Math.min(terms.k, job.parallelism);
  return {
    id: makeId("f"),
    name: terms.jobUuid === null ? nameFleet(desk, job.jobUuid, k) : terms.name,
    ...{ jobUuid: job.jobUuid, endpoint: job.endpoint, baseUrl: job.baseUrl, parallelism: job.parallelism },
    ...{ runner: terms.runner, k, staggerS: terms.staggerS, target: terms.target },
    ...{
      createdAt: desk.clock.now().toISOString(),
      endedAt: null,
      state: "starting",
      cause: null,
      jobSaid: null,
      outcome: null,
    },
    runs: Array.from({ length: k }, () => makeId("r")),
  };
}

interface SeatParts {
  readonly id: string;
  /** From 0. */
  readonly place: number;
  readonly fleet: Fleet;
  readonly pattern: Plan;
  readonly terms: FleetTerms;
  readonly job: FleetJob;
}

function recordSeat(desk: Desk, parts: SeatParts): Seated {
  const { id, place, fleet, pattern } = parts;
  const gpu = parts.terms.gpus[place] ?? null;
  const plan = savePlan(desk, makeSeatPlan(parts, gpu));
  const { terms } = plan;
  const run: RunRecord = {
    ...makeNewRun({
      ...{ id, name: terms.name, plan: plan.id, request: terms.request, jobFolder: join(terms.jobDir, id) },
      ...{ target: terms.target.name, kind: terms.target.kind, host: terms.target.host },
      environment: { label: terms.environment.label, python: terms.environment.python },
      git: findGit(terms),
      ...{ createdAt: fleet.createdAt, expected: terms.expected, notes: pattern.notes },
      ...{ launcher: desk.identity, startIntentAt: null, remote: findRemote(terms) },
    }),
    seat: {
      ...{ fleet: fleet.id, number: place + 1, runner: fleet.runner.kind, agentId: randomUUID() },
      gpu: gpu && { uuid: gpu.uuid, index: gpu.index },
      ...{ restarts: 0, attemptEndedAt: null, notBefore: null },
    },
  };
  takePlan(desk, plan.id, id);
  insertRun(desk.store, run);
  appendEvent(desk.store, id, "plan_used", { plan: plan.id, fleet: fleet.id }, desk.clock.now());
  return { run, plan };
}

function makeSeatPlan(
  { place, fleet, pattern, terms: { agent = null }, job }: SeatParts,
  gpu: FleetGpu | null,
) {
  const { terms, restsOn, notes } = pattern;
  const name = nameSeat(fleet.name, place + 1);
  const request = makeSeatRequest(terms.request, { runner: fleet.runner, agent, gpu, name, job });
  const uuids = gpu?.uuid ? [gpu.uuid] : [];
  const gpus = {
    ...terms.gpus,
    ...{ count: request.gpus === 1 ? 1 : ("none" as const), model: gpu?.name ?? null, preferred: uuids },
    why: gpu === null ? "none is needed" : `GPU ${gpu.index ?? gpu.uuid}, for this agent alone`,
  };
  return { id: makePlanId(), terms: { ...terms, name, request, gpus }, restsOn, notes };
}

function findGit({ code }: Plan["terms"]): RunRecord["git"] {
  if (code.kind !== "git") return null;
  return { commit: code.commit, branch: code.branch, tree: code.tree };
}
