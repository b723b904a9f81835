import type { Clock } from "../../../base/clock.ts";
import { SortieError } from "../../../base/error.ts";
import type { VastInstance } from "../instance.ts";
import type { Offer } from "../offer.ts";
import { listSshKeys, loadCredit } from "./account.ts";
import { makeCaller } from "./caller.ts";
import { changeInstance, destroyInstance } from "./change-instance.ts";
import { createInstance, type InstanceWish } from "./create-instance.ts";
import { listInstances, loadInstance } from "./load-instances.ts";
import { listPriceIncreases, type PriceIncrease } from "./price-increases.ts";
import { type OfferQuery, searchOffers } from "./search-offers.ts";
import { defaultTimers, type VastTimers } from "./vast-timers.ts";

/**
 * An account of Vast.ai. What reads, and what may be said twice, is said again after 429, 5xx and a lost reply, with growing
 * pauses; a create is sent once. Every call may throw SortieError `vast_login`, `vast_away`, `vast_refused`,
 * `vast_reply_unreadable` or `interrupted`.
 */
export interface Vast {
  /** Those that can be rented now, cheapest first; at most 64, as many as the vendor gives. */
  searchOffers(query: OfferQuery): Promise<Offer[]>;
  /**
   * Rents: from here on it costs money. Gives the instance's id.
   * Whatever it throws but `vast_offer_gone`, `vast_login` and `vast_away`: look for the label, something may be there. Where
   * the vendor names an instance in its refusal, it is the error's detail `instance`.
   * @throws SortieError `vast_offer_gone`; `vast_create_unsure`: it is not known whether an instance was made
   */
  createInstance(offer: number, wish: InstanceWish): Promise<number>;
  /** Null: the vendor says that there is no such instance. Only this is "gone". */
  loadInstance(id: number): Promise<VastInstance | null>;
  /** All of the account, whoever rented them. */
  listInstances(): Promise<VastInstance[]>;
  /** The disk stays, and is paid for. @throws SortieError `vast_instance_gone` */
  stopInstance(id: number): Promise<void>;
  /** @throws SortieError `vast_instance_gone` */
  startInstance(id: number): Promise<void>;
  /** Asks for it: it is gone only once `loadInstance` gives null. One that is gone already is no error. */
  destroyInstance(id: number): Promise<void>;
  /** @throws SortieError `vast_instance_gone` */
  labelInstance(id: number, label: string): Promise<void>;
  /** Public keys of the account, one line each. */
  listSshKeys(): Promise<string[]>;
  /** Dollars left; null where the vendor does not say. */
  loadCredit(): Promise<number | null>;
  /** Higher prices that hosts propose for instances of the account. Nothing here accepts one. */
  listPriceIncreases(): Promise<PriceIncrease[]>;
}

export interface VastOptions {
  readonly key: string;
  /** `https://host`, without a path; see `findVastUrl`. */
  readonly url: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly timers?: Partial<VastTimers>;
}

/** Asks nothing yet. @throws SortieError `vast_key_unusable` */
export function openVast({ key, url, clock, signal, timers }: VastOptions): Vast {
  // A header with a line feed would be refused with its text in the message.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new SortieError("vast_key_unusable", {
      source: "use",
      reason: "it has characters that no key has",
    });
  const caller = makeCaller({
    key,
    url,
    clock,
    ...(signal && { signal }),
    timers: { ...defaultTimers, ...timers },
  });
  return {
    searchOffers: (query) => searchOffers(caller, query),
    createInstance: (offer, wish) => createInstance(caller, offer, wish),
    loadInstance: (id) => loadInstance(caller, id),
    listInstances: () => listInstances(caller),
    stopInstance: (id) => changeInstance(caller, { id, verb: "stop", body: { state: "stopped" } }),
    startInstance: (id) => changeInstance(caller, { id, verb: "start", body: { state: "running" } }),
    destroyInstance: (id) => destroyInstance(caller, id),
    labelInstance: (id, label) => changeInstance(caller, { id, verb: "label", body: { label } }),
    listSshKeys: () => listSshKeys(caller),
    loadCredit: () => loadCredit(caller),
    listPriceIncreases: () => listPriceIncreases(caller),
  };
}
