import { SortieError } from "../../base/error.ts";
import { DEFAULT_TUNNEL_URL } from "../../challenge/addresses.ts";
import { type ActionDraft, saveAction } from "../actions/action-plan.ts";
import { type ChosenTarget, chooseTargetFor, type TargetChoice } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { findAddressOf, makeTarget } from "../find-target.ts";
import { describeHost, nameHost } from "../host-name.ts";
import { planRun } from "../plan-run.ts";
import { reserveForWaiting } from "../reserve-gpus.ts";
import { settleRuns } from "../settle-runs.ts";
import { chooseCount, describeCount, type Limits } from "./choose-count.ts";
import { chooseRunner } from "./choose-runner.ts";
import { findJobFacts, type JobFacts, type Need } from "./find-job-facts.ts";
import type { FleetRunner } from "./fleet.ts";
import { describeEffects, type FleetCondition, type FleetPlan, type FleetTerms } from "./fleet-terms.ts";
import type { FleetWish } from "./fleet-wish.ts";
import { makePatternRequest } from "./make-pattern.ts";
import { nameFleet } from "./name-fleet.ts";
import { type GpuOffer, offerGpus } from "./offer-gpus.ts";
import { refuseRivals } from "./refuse-rivals.ts";
import { refuseUntrusted } from "./refuse-untrusted.ts";
import { placeRunner } from "./remote/place-runner.ts";
import { planOnHost } from "./remote/plan-on-host.ts";

export type { FleetPlan, FleetTerms } from "./fleet-terms.ts";
export type { FleetWish } from "./fleet-wish.ts";

export const FLEET_ACTION = "agents launch";

export type FleetDraft = Omit<ActionDraft<FleetTerms, FleetCondition>, "action" | "look">;

/**
 * Looks at everything that a fleet needs, starts nothing, and keeps a plan of it. With `agents: null` it proposes as many as
 * can run.
 * @throws fleet_needs (all that is missing at once), fleet_live, fleet_window, fleet_job_over, fleet_too_large,
 * fleet_no_gpu, fleet_gpus_untold, fleet_parallelism_zero, and what planning a run throws
 */
export async function planFleet(desk: Desk, wish: FleetWish): Promise<FleetPlan> {
  const chosen = await chooseTrusted(desk, wish);
  const { facts, needs } = await findJobFacts(desk, wish);
  const runner = findRunner(desk, wish, chosen, needs);
  if (facts === null) throw refuseNeeds(needs);
  await settleRuns(desk);
  refuseRivals(desk, facts.jobUuid);
  refuseOver(facts);
  const draft = await makeDraft(desk, wish, { chosen, runner, facts });
  return saveAction(desk, { ...draft, action: FLEET_ACTION, look: "sortie agents ls" });
}

/**
 * The same for a job that is submitted with it: that, and what it allows, are known only then. Nothing is kept of it but
 * its pattern.
 */
export async function draftFleet(desk: Desk, wish: FleetWish): Promise<FleetDraft> {
  const chosen = await chooseTrusted(desk, wish);
  const runner = findRunner(desk, wish, chosen, []);
  await settleRuns(desk);
  return makeDraft(desk, wish, { chosen, runner, facts: null });
}

/**
 * The target that a fleet runs on, or the lines that must be trusted first; this machine where none is named.
 * @throws target_unknown, config_bad and their like
 */
export function chooseFleetTarget(
  desk: Desk,
  { cwd, target = "local" }: Pick<FleetWish, "cwd" | "target">,
): Promise<TargetChoice> {
  return chooseTargetFor(desk, { cwd, wanted: target });
}

async function chooseTrusted(desk: Desk, wish: FleetWish): Promise<ChosenTarget> {
  const choice = await chooseFleetTarget(desk, wish);
  if ("target" in choice) return choice.target;
  throw new SortieError("trust_needed", { file: choice.trust.file });
}

/** As it is named where the agents start. */
function findRunner(
  desk: Desk,
  wish: FleetWish,
  { ssh, projectFolder }: ChosenTarget,
  needs: readonly Need[],
): FleetRunner {
  const runner = chooseRunner(desk, wish, { isHere: ssh === null });
  if (!("kind" in runner)) throw refuseNeeds([...needs, runner]);
  return ssh === null ? runner : placeRunner(runner, { cwd: wish.cwd, projectFolder });
}

function refuseNeeds(needs: readonly Need[]): SortieError {
  const names = needs.map(({ name }) => name);
  const commands = needs.map(({ name, command }) => `${name}: ${command}.`).join(" ");
  return new SortieError("fleet_needs", { missing: names.join(", "), commands, needs });
}

function refuseOver({ jobUuid, now }: JobFacts): void {
  if (now.kind === "over") throw new SortieError("fleet_job_over", { job: jobUuid, said: now.said });
}

interface Ground {
  readonly chosen: ChosenTarget;
  readonly runner: FleetRunner;
  readonly facts: JobFacts | null;
}

async function makeDraft(
  desk: Desk,
  wish: FleetWish,
  { chosen, runner, facts }: Ground,
): Promise<FleetDraft> {
  const offer = await loadOffer(desk, wish, chosen);
  const limits: Limits = {
    ...{ jobUuid: facts?.jobUuid ?? null, parallelism: facts?.parallelism ?? wish.parallelism ?? null },
    ...{ free: offer.free?.length ?? null, leftOut: offer.leftOut },
  };
  const k = chooseCount(wish.agents, limits);
  const gpus = (offer.free ?? []).slice(0, k);
  const name = nameFleet(desk, facts?.jobUuid ?? null, k);
  const request = makePatternRequest(desk, { wish, chosen, runner, gpus, name });
  const agent = { asksNode: runner.kind === "handler", isAgent: true };
  const pattern = await planRun(desk, request, chosen, {}, agent);
  refuseUntrusted(desk, pattern);
  const place = { cwd: wish.cwd, projectFolder: chosen.projectFolder };
  const onHost = planOnHost(desk, pattern, { runner, place, endpoint: facts?.endpoint ?? null });
  const terms: FleetTerms = {
    ...{ name, k, parallelism: limits.parallelism, gpus, gpusFree: limits.free },
    gpusLeftOut: [...offer.leftOut, ...listSpare(offer, k)],
    ...{
      jobUuid: limits.jobUuid,
      endpoint: facts?.endpoint ?? null,
      baseUrl: facts?.baseUrl ?? wish.baseUrl ?? null,
    },
    ...{ staggerS: wish.staggerS ?? null, cwd: wish.cwd, target: chosen.section.name },
    ...onHost.terms,
    pattern: { plan: pattern.id, hash: pattern.hash },
  };
  return {
    terms,
    restsOn: listConditions(terms),
    notes: [
      ...describeCount(k, { ...limits, leftOut: terms.gpusLeftOut }),
      ...describeFacts(facts),
      ...pattern.notes,
      ...onHost.notes,
    ],
    sideEffects: describeEffects(terms, { jobDir: pattern.terms.jobDir, bringing: onHost.bringing }),
  };
}

async function loadOffer(desk: Desk, wish: FleetWish, chosen: ChosenTarget): Promise<GpuOffer> {
  if (wish.gpus === "none") return { free: null, leftOut: [] };
  const target = makeTarget(desk, findAddressOf(chosen), chosen.settings);
  const report = await target.loadGpus({ python: null });
  const host = nameHost(desk, target);
  return offerGpus(reserveForWaiting(desk, report, host), wish, describeHost(host));
}

function listSpare({ free }: GpuOffer, k: number): FleetTerms["gpusLeftOut"] {
  return (free ?? []).slice(k).map(({ index }) => ({ index, why: "no agent is left for it" }));
}

function listConditions({ jobUuid, gpus }: FleetTerms): FleetCondition[] {
  return [
    ...(gpus.length === 0 ? [] : [{ kind: "gpus" as const, gpus }]),
    { kind: "pattern" },
    ...(jobUuid === null ? [] : [{ kind: "job" as const, jobUuid }]),
  ];
}

function describeFacts(facts: JobFacts | null): string[] {
  if (facts === null) return [];
  const { token, now, endpoint } = facts;
  const isDefault = endpoint === DEFAULT_TUNNEL_URL;
  const dials = `the agents dial with ${token.said}${token.kind === "login" ? ", which ends after hours" : ""}`;
  return [
    dials,
    ...(isDefault ? ["nobody names the job's gateway: the agents dial the fixed default"] : []),
    now.kind === "live" ? `the job: ${now.said}` : `how the job stands is not known: ${now.said}`,
  ];
}
