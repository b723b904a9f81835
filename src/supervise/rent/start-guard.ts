import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { appendEvent } from "../../runs/events.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { findVastUrl } from "../../targets/vast/find-key.ts";
import { GUARD_FOLDER, type GuardSettings } from "../../targets/vast/guard/make-guard.ts";
import { makeGuardStart, parseGuardStart } from "../../targets/vast/guard/start-guard.ts";
import type { Desk } from "../desk.ts";
import { findAddress, makeTarget } from "../find-target.ts";
import type { Plan } from "../plan.ts";
import { GUARD_PACE, type GuardPace } from "./guard-pace.ts";
import { countDollars, type Instance } from "./instance.ts";
import { changeInstance, findInstanceOf } from "./instance-store.ts";
import type { RentalTerms } from "./rental-terms.ts";

const ANSWER_MS = 40_000;
/** A GPU with no more load than this does nothing. */
const IDLE_PERCENT = 5;

export interface GuardCall {
  readonly terms: RentalTerms;
  readonly plan: Plan;
  /** Where it is to be other than usual. */
  readonly pace?: Partial<GuardPace> | undefined;
  readonly onLine: (line: string) => void;
  /** Asks whoever launches; absent: nobody can be asked. */
  readonly askPerson?: ((question: string) => Promise<boolean>) | undefined;
}

/**
 * Starts the guard on a rented machine: what stops it while this one sleeps. @throws rent_unguarded: it cannot be done there,
 * and nobody has agreed to do without; and what keeps the host from answering
 */
export async function startGuard(
  desk: Desk,
  run: RunRecord,
  { terms, plan, pace, onLine, askPerson }: GuardCall,
): Promise<void> {
  const instance = findInstanceOf(desk.store, run.id) as Instance;
  const { ask } = makeTarget(desk, findAddress(plan.terms));
  if (ask === null) throw new SortieError("internal", { reason: "a rented machine is another host" });
  const token = makeToken();
  const settings = makeGuardSettings(desk, instance, terms, {
    jobFolder: `${plan.terms.jobDir}/${run.id}`,
    pace: { ...GUARD_PACE, ...pace },
  });
  const script = makeGuardStart(settings, token);
  const { state, words } = await ask({
    ...{ script, timeoutMs: ANSWER_MS },
    read: (stdout) => parseGuardStart(stdout, token),
  });
  const isGuarded = state.state !== "none";
  const question = `The machine cannot stop itself when nobody comes (${words}). Launch there all the same?`;
  if (!isGuarded && !terms.mayBeUnguarded && !(await askPerson?.(question)))
    throw new SortieError("rent_unguarded", { number: instance.number, reason: words });
  changeInstance(desk.store, run.id, { isGuarded });
  appendEvent(desk.store, run.id, isGuarded ? "guarded" : "unguarded", { words }, desk.clock.now());
  onLine(isGuarded ? "a guard on the machine stops it when nobody comes" : `no guard: ${words}`);
}

function makeGuardSettings(
  desk: Desk,
  instance: Instance,
  { mostDollars, mostHours, request }: RentalTerms,
  { jobFolder, pace }: { readonly jobFolder: string; readonly pace: GuardPace },
): GuardSettings {
  const { lookS, retryS, uncollectedS, unstartedS, idleS } = pace;
  const { dollarsPerHour, number, earlier, run } = instance;
  const spent =
    countDollars(instance, desk.clock.now()) + earlier.reduce((sum, { dollars }) => sum + dollars, 0);
  return {
    ...{ runId: run, jobFolder, guardFolder: GUARD_FOLDER, instance: number as number },
    vendorUrl: findVastUrl(desk.env),
    limits: {
      money: mostDollars === null ? null : { dollarsPerHour, cap: mostDollars, spent },
      timeS: mostHours === null ? null : mostHours * 3600,
      ...{ uncollectedS, unstartedS },
      idle: request.gpus === "none" ? null : { seconds: idleS, percent: IDLE_PERCENT },
    },
    ...{ graceS: request.graceS, lookS, retryS, environ: "/proc/1/environ" },
  };
}
