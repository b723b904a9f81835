import { formatDollars } from "../../base/dollars.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import { appendEvent } from "../../runs/events.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { GUARD_FOLDER } from "../../targets/vast/guard/make-guard.ts";
import { makeGuardOnstart } from "../../targets/vast/guard/start-guard.ts";
import type { VastInstance } from "../../targets/vast/instance.ts";
import type { Offer } from "../../targets/vast/offer.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { findAddressOf, makeTarget } from "../find-target.ts";
import { isSilence } from "../silence.ts";
import { awaitRunning } from "./await-running.ts";
import { clearTry } from "./clear-try.ts";
import { placeOn } from "./find-instance.ts";
import { changeInstance, findInstanceOf } from "./instance-store.ts";
import { openAccount, type Vast } from "./open-account.ts";
import type { OnRentStep, RentStep } from "./rent-steps.ts";
import { checkCap, checkWanted, countSpent } from "./rental-limits.ts";
import type { RentalTerms } from "./rental-terms.ts";
import { searchMarket } from "./search-market.ts";

/** A container's sshd begins some seconds after the vendor calls it running. */
const REACH_MS = 120_000;
const REACH_PAUSE_MS = 2000;

export interface RentCall {
  readonly onStep: OnRentStep;
  /** What is going on, in a line for people. */
  readonly onNews: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Rents a machine for a run that is on record, and waits until it answers over ssh. One that does not come up, or costs more
 * than was said, is destroyed, and gone before the next is tried, within the same cap.
 * @throws rent_no_offer, rent_tries_used; then nothing is left. What else it throws may leave a machine: `giveUpRental` sees to it.
 */
export async function rentInstance(
  desk: Desk,
  run: RunRecord,
  terms: RentalTerms,
  chosen: ChosenTarget,
  call: RentCall,
): Promise<ChosenTarget> {
  const vast = openAccount(desk);
  const tried: number[] = [];
  let last = "no try was made";
  for (let tries = 0; tries < terms.tries; tries += 1) {
    checkCap(desk, run, terms);
    const offer = await chooseOffer(desk, vast, run, terms, tried);
    tried.push(offer.id);
    try {
      const instance = await rentOne(desk, vast, run, terms, offer, call);
      const placed = await reach(desk, chosen, instance, terms, call);
      changeInstance(desk.store, run.id, { state: "ready", dollarsPerHour: instance.dollarsPerHour });
      step(desk, run.id, "ready", call.onStep);
      return placed;
    } catch (fault) {
      call.signal?.throwIfAborted();
      if (!isOfTheMachine(fault)) throw fault;
      last = describeFault(fault);
      call.onNews(`that machine did not come up: ${last}`);
      await clearTry(desk, vast, run.id, { reason: last, mayBeLate: !isSurelyNone(fault) });
    }
  }
  throw new SortieError("rent_tries_used", { tries: terms.tries, reason: last });
}

/** The price is asked again: what was shown may be sold, or cost more by now. */
async function chooseOffer(
  desk: Desk,
  vast: Vast,
  run: RunRecord,
  terms: RentalTerms,
  tried: readonly number[],
): Promise<Offer> {
  const left = terms.mostDollars === null ? null : terms.mostDollars - countSpent(desk, run);
  const { fitting } = await searchMarket(vast, { ...terms.needs, maxDollars: left });
  const offers = fitting
    .map((ranked) => ranked.offer)
    .filter(({ id, dollarsPerHour }) => !tried.includes(id) && dollarsPerHour <= terms.mostDollarsPerHour);
  const shown = offers.find(({ id }) => id === terms.offer.id);
  const offer = shown ?? offers[0];
  if (offer !== undefined) return offer;
  const most = formatDollars(terms.mostDollarsPerHour);
  const { earlier = [] } = findInstanceOf(desk.store, run.id) ?? {};
  throw new SortieError("rent_no_offer", { most, tried: earlier.length });
}

/** Intent on record, then the call; its machine is known by its label wherever this ends. */
async function rentOne(
  desk: Desk,
  vast: Vast,
  run: RunRecord,
  terms: RentalTerms,
  offer: Offer,
  { onStep, onNews, signal }: RentCall,
): Promise<VastInstance> {
  const { needs, mostDollarsPerHour } = terms;
  const { dollarsPerHour } = offer;
  intend(desk, run, dollarsPerHour);
  step(desk, run.id, "rent_intended", onStep, { offer: offer.id, dollarsPerHour });
  onNews(`renting ${offer.gpuCount} × ${offer.gpuName} at ${formatDollars(dollarsPerHour)} an hour`);
  const { image, diskGb } = needs;
  const number = await vast.createInstance(offer.id, {
    ...{ image, diskGb, label: run.id, env: {} },
    onstart: makeGuardOnstart(GUARD_FOLDER),
  });
  changeInstance(desk.store, run.id, { state: "created", number });
  step(desk, run.id, "created", onStep, { number });
  const instance = await awaitRunning(desk, vast, number, {
    ...{ onNews, signal },
    mayGoOn: () => {
      checkWanted(desk, run);
      checkCap(desk, run, terms);
    },
  });
  if (instance.dollarsPerHour <= mostDollarsPerHour) return instance;
  const [price, most] = [formatDollars(instance.dollarsPerHour), formatDollars(mostDollarsPerHour)];
  throw new SortieError("rent_too_dear", { number, price, most });
}

/** @throws launch_called_off */
function intend(desk: Desk, run: RunRecord, dollarsPerHour: number): void {
  const since = desk.clock.now().toISOString();
  desk.store.together(() => {
    checkWanted(desk, run);
    changeInstance(desk.store, run.id, { state: "intended", number: null, dollarsPerHour, since });
  });
}

/** Until its sshd answers. */
async function reach(
  desk: Desk,
  chosen: ChosenTarget,
  instance: VastInstance,
  { autoDestroy }: RentalTerms,
  { onNews, signal }: RentCall,
): Promise<ChosenTarget> {
  const untilMs = desk.clock.monotonicMs() + REACH_MS;
  onNews(`instance ${instance.id} runs; waiting for its sshd`);
  for (;;) {
    const placed = await placeOn(chosen, instance, { isRented: true, autoDestroy });
    try {
      await makeTarget(desk, findAddressOf(placed)).observe([]);
      return placed;
    } catch (fault) {
      signal?.throwIfAborted();
      if (!isSilence(fault) || desk.clock.monotonicMs() > untilMs) throw fault;
      await desk.clock.sleep(REACH_PAUSE_MS, signal);
    }
  }
}

/** What another machine may do better. */
function isOfTheMachine(fault: unknown): boolean {
  if (isSilence(fault)) return true;
  const codes = [
    ...["vast_offer_gone", "vast_create_unsure", "vast_refused", "vast_instance_unreachable"],
    ...["rent_too_dear", "rent_not_up"],
  ];
  return fault instanceof SortieError && codes.includes(fault.code);
}

/** The vendor has said that it made nothing. */
function isSurelyNone(fault: unknown): boolean {
  return fault instanceof SortieError && fault.code === "vast_offer_gone";
}

function step(desk: Desk, run: string, name: RentStep, onStep: OnRentStep, body: unknown = null): void {
  appendEvent(desk.store, run, name, body, desk.clock.now());
  onStep(name);
}
