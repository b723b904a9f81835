import { SortieError } from "../../base/error.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import { type FoundNeeds, type RentFlags, readNeeds } from "../../targets/vast/needs.ts";
import type { Offer } from "../../targets/vast/offer.ts";
import type { Ranking } from "../../targets/vast/rank-offers.ts";
import { type ActionPlan, saveAction } from "../actions/action-plan.ts";
import { type ChosenTarget, loadConfigFor, type TargetPlace } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { type Contract, findContract } from "../environment/find-contract.ts";
import { checkFolder, chooseName } from "../plan-run.ts";
import { saveVariables } from "../plan-variables.ts";
import { checkSshKey } from "./check-ssh-key.ts";
import { describeNeeds, describeRental, listRentalEffects } from "./describe-rental.ts";
import { draftRentalCode } from "./draft-rental-code.ts";
import { furnish } from "./load-rental-target.ts";
import { openAccount, type Vast } from "./open-account.ts";
import { RENTAL_ACTION, type RentalCondition, type RentalTerms } from "./rental-terms.ts";
import { describeOtherGpus, searchMarket } from "./search-market.ts";

/** Prices move: whoever confirms later is asked to look again. */
const EXPIRES_AFTER_MS = 15 * 60_000;
const TRIES = 3;
/** Where nobody has named a price, the next machine may cost so much more than the one that was shown. */
const LEEWAY = 1.25;

export type { RentFlags };
export type RentalPlan = ActionPlan<RentalTerms, RentalCondition>;

export interface RentalWish {
  readonly request: RunRequest;
  readonly chosen: ChosenTarget;
  readonly place: TargetPlace;
  readonly variables: Readonly<Record<string, string>>;
  readonly flags: RentFlags;
  /** A machine on which no guard can work will do. */
  readonly mayBeUnguarded: boolean;
}

/**
 * The plan of a run on a machine that is still to be rented. Nothing is rented yet, and what would keep it from being of use is
 * looked for before: the key, the SSH key on the account, the code. @throws rent_market_empty, rent_key_absent, value_bad, vast_key_missing
 */
export async function planRental(desk: Desk, wish: RentalWish): Promise<RentalPlan> {
  const { request, place, variables } = wish;
  const chosen = furnish(wish.chosen);
  checkFolder(request.cwd);
  chooseName(desk, request); // refused before anything is asked
  const found = readNeeds(
    await loadConfigFor(desk, place.cwd),
    chosen.section,
    withGpus(wish.flags, request),
  );
  const vast = openAccount(desk);
  const contract = await findContract(desk, chosen, request.environment ?? null);
  const [ranking, sent] = await lookAround(desk, vast, found, wish, chosen);
  const offer = ranking.cheapest?.offer;
  if (offer === undefined) throw refuseMarket(found, await describeOtherGpus(vast, found.needs));
  return desk.store.together(() => {
    const terms = makeTerms(wish, { name: chooseName(desk, request), found, offer, sent, chosen, contract });
    const plan = saveAction(desk, makeDraft(terms, { chosen, ranking, found }), {
      expiresAfterMs: EXPIRES_AFTER_MS,
    });
    saveVariables(desk, plan.id, variables);
    return plan;
  });
}

/** All are waited for, so that none goes on after a fault of another. */
async function lookAround(
  desk: Desk,
  vast: Vast,
  { needs }: FoundNeeds,
  { request }: RentalWish,
  chosen: ChosenTarget,
): Promise<[Ranking, RentalTerms["sent"]]> {
  const [key, ranking, sent] = await Promise.allSettled([
    checkSshKey(desk, vast, chosen.section.ssh ?? null),
    searchMarket(vast, needs),
    draftRentalCode(desk, request, chosen),
  ]);
  if (sent.status === "rejected") throw sent.reason;
  if (ranking.status === "rejected") throw ranking.reason;
  if (key.status === "rejected") throw key.reason;
  return [ranking.value, sent.value];
}

/** What is rented is used: a run that leaves it open gets all of several. */
function withAllGpus(request: RunRequest, { gpuCount }: FoundNeeds["needs"]): RunRequest {
  return request.gpus === "default" && gpuCount > 1 ? { ...request, gpus: gpuCount } : request;
}

/** `--gpus` of the run says how many its machine has, unless that was asked for by itself. */
function withGpus(flags: RentFlags, { gpus }: RunRequest): RentFlags {
  return typeof gpus === "number" && flags.gpu_count === undefined
    ? { ...flags, gpu_count: String(gpus) }
    : flags;
}

function makeTerms(
  { request, place, mayBeUnguarded }: RentalWish,
  {
    name,
    found: { needs, sources },
    offer,
    sent,
    chosen: { section },
    contract,
  }: {
    name: string;
    found: FoundNeeds;
    offer: Offer;
    sent: RentalTerms["sent"];
    chosen: ChosenTarget;
    contract: Contract | null;
  },
): RentalTerms {
  const budget = sources.get("max_budget");
  return {
    ...{
      name,
      target: section.name,
      place,
      request: withAllGpus(request, needs),
      needs,
      offer,
      tries: TRIES,
      sent,
      mayBeUnguarded,
    },
    mostDollarsPerHour: needs.maxDollarsPerHour ?? offer.dollarsPerHour * LEEWAY,
    mostDollars: needs.maxDollars,
    budget: needs.maxDollars === null || budget?.from === "flag" ? null : (budget?.text ?? null),
    mostHours: needs.hours,
    contract: contract && { name: contract.name, hash: contract.loaded.hash },
    autoDestroy: section.vast?.autoDestroy ?? false,
  };
}

function makeDraft(
  terms: RentalTerms,
  { chosen, ranking, found }: { chosen: ChosenTarget; ranking: Ranking; found: FoundNeeds },
) {
  const restsOn: RentalCondition[] = [
    { kind: "config", target: terms.target, hash: chosen.hash, files: chosen.footprint },
    { kind: "code", hash: terms.sent.hash },
    { kind: "offer", mostDollarsPerHour: terms.mostDollarsPerHour },
    { kind: "name", name: terms.name },
  ];
  return {
    ...{ action: RENTAL_ACTION, runName: terms.name, terms, restsOn },
    notes: describeRental(terms, { chosen, ranking, found }),
    sideEffects: listRentalEffects(terms, chosen),
    look: `sortie show ${terms.name}`,
  };
}

function refuseMarket(found: FoundNeeds, others: string | null): SortieError {
  const advice = others ?? "Ask for less, allow more with --max-price, or try again later.";
  return new SortieError("rent_market_empty", { needs: describeNeeds(found), advice });
}
