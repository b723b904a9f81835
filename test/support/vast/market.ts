import type { Endpoint } from "../../../src/targets/vast/find-endpoint.ts";
import type { DoubleInstance } from "./instances.ts";
import { type LedgerEntry, openBill } from "./ledger.ts";
import { type Life, runAfter } from "./lives.ts";
import { type DoubleOffer, findStoragePrice, plainOffer } from "./offers.ts";

/** How the instances to come will be; a test changes it at will. */
export interface MarketSettings {
  /** Of the nth instance that is rented, from 0. */
  life: (nth: number) => Life;
  /** Where every instance is reached; null: there is no direct port. */
  direct: Endpoint | null;
  /** The same from the next restart of an instance on. */
  directAfterRestart: Endpoint | null | "same";
  proxy: Endpoint;
  /** How long an instance stays, and costs, after its destruction was agreed to. */
  lingerS: number;
}

export interface InstanceTerms {
  readonly label: string | null;
  readonly image: string;
  readonly diskGb: number;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly onstart?: string | null;
}

const FIRST_OFFER = 8_000_001;
const FIRST_INSTANCE = 30_000_001;
/** Nobody listens there. */
const nowhere: Endpoint = { host: "127.0.0.1", port: 9 };

/** Offers and instances of one account, and what they cost. `now` is the vendor's clock. */
export function openMarket(now: () => number) {
  const offers = new Map<number, DoubleOffer>();
  const rented = new Set<number>();
  const instances = new Map<number, DoubleInstance>();
  const settings: MarketSettings = {
    ...{ life: () => runAfter(0), lingerS: 0 },
    ...{ direct: nowhere, directAfterRestart: "same", proxy: nowhere },
  };

  const make = (
    offer: DoubleOffer,
    terms: InstanceTerms,
    at: { id: number; createdMs: number; life: Life },
  ) => {
    const storage = findStoragePrice(offer, terms.diskGb);
    const instance: DoubleInstance = {
      ...{ id: at.id, offer, isRented: offers.has(offer.id), label: terms.label, image: terms.image },
      ...{ diskGb: terms.diskGb, env: { ...terms.env }, onstart: terms.onstart ?? null },
      containerKey: `container-key-${at.id}`,
      ...{ createdMs: at.createdMs, startedMs: at.createdMs, intended: "running", goneMs: null },
      ...{ dollarsPerHour: offer.dollarsPerHour + storage, storageDollarsPerHour: storage },
      life: at.life,
      ...{ direct: settings.direct, proxy: settings.proxy },
      bill: openBill(at.createdMs, offer.dollarsPerHour + storage),
    };
    instances.set(instance.id, instance);
    return instance;
  };
  const isThere = ({ goneMs }: DoubleInstance) => goneMs === null || goneMs > now();

  return {
    settings,
    addOffer: (wish: Partial<DoubleOffer> = {}): number => {
      const id = wish.id ?? FIRST_OFFER + offers.size;
      offers.set(id, { ...plainOffer, ...wish, id });
      return id;
    },
    setPrice: (offer: number, dollarsPerHour: number): void => {
      offers.set(offer, { ...(offers.get(offer) as DoubleOffer), dollarsPerHour });
    },
    withdraw: (offer: number): void => {
      rented.add(offer);
    },
    /** What nobody has rented yet. */
    listOffers: () => [...offers.values()].filter(({ id }) => !rented.has(id)),
    /** Undefined: the offer is gone. */
    rent: (offer: number, terms: InstanceTerms): DoubleInstance | undefined => {
      const wanted = offers.get(offer);
      if (wanted === undefined || rented.has(offer)) return undefined;
      rented.add(offer);
      const nth = [...instances.values()].filter(({ isRented }) => isRented).length;
      return make(wanted, terms, { id: FIRST_INSTANCE + nth, createdMs: now(), life: settings.life(nth) });
    },
    /** One that was there before: somebody else's, or one that a section of a project names. */
    addInstance: (
      wish: Partial<InstanceTerms> & { id: number; ageS?: number; offer?: Partial<DoubleOffer>; life?: Life },
    ): DoubleInstance => {
      const terms = { label: null, image: "pytorch/pytorch", diskGb: 50, ...wish };
      const offer = { ...plainOffer, id: 0, ...wish.offer };
      const createdMs = now() - (wish.ageS ?? 0) * 1000;
      return make(offer, terms, { id: wish.id, createdMs, life: wish.life ?? runAfter(0) });
    },
    /** Undefined: the vendor has no such instance, or not any more. */
    find: (id: number): DoubleInstance | undefined => {
      const found = instances.get(id);
      return found !== undefined && isThere(found) ? found : undefined;
    },
    list: () => [...instances.values()].filter(isThere).sort((one, other) => one.id - other.id),
    stop: (instance: DoubleInstance): void => {
      if (instance.intended === "stopped") return;
      instance.intended = "stopped";
      instance.bill.setRate(now(), instance.storageDollarsPerHour);
    },
    start: (instance: DoubleInstance): void => {
      if (instance.intended === "running") return;
      instance.intended = "running";
      instance.startedMs = now();
      const { directAfterRestart } = settings;
      if (directAfterRestart !== "same") instance.direct = directAfterRestart;
      instance.bill.setRate(now(), instance.dollarsPerHour);
    },
    destroy: (instance: DoubleInstance): void => {
      instance.goneMs ??= now() + settings.lingerS * 1000;
    },
    /** Everything that ever cost money, by id. */
    readLedger: (): LedgerEntry[] =>
      [...instances.values()].map((instance) => {
        const goneMs = isThere(instance) ? null : instance.goneMs;
        return {
          ...{ instance: instance.id, offer: instance.isRented ? instance.offer.id : null },
          ...{ label: instance.label, dollarsPerHour: instance.dollarsPerHour },
          createdAt: new Date(instance.createdMs),
          destroyedAt: goneMs === null ? null : new Date(goneMs),
          dollars: instance.bill.sumUntil(goneMs ?? now()),
        };
      }),
  };
}

export type Market = ReturnType<typeof openMarket>;
