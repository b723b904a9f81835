import { type DoubleInstance, makeInstanceRow } from "./instances.ts";
import type { Market } from "./market.ts";
import { matchesFilters, sortRows } from "./match-filters.ts";
import { makeOfferRow } from "./offers.ts";
import { type Answer, type Json, refuse, succeed } from "./replies.ts";

/** Who pays, as the vendor knows them. */
export interface DoubleAccount {
  /** The key of the API; the calls of an instance's own key are answered apart. */
  readonly key: string;
  credit: number;
  sshKeys: string[];
  /** Rows of `/instances/pending-price-increases/`. */
  priceIncreases: Json[];
}

export interface VastCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
  /** What stood behind `Bearer `; null: nothing. */
  readonly key: string | null;
}

interface Vendor {
  readonly market: Market;
  readonly account: DoubleAccount;
  readonly now: () => number;
}

type Handler = (call: VastCall, vendor: Vendor, id: number) => Answer;

/** The vendor's largest answers. */
const MOST_OFFERS = 64;
const MOST_ROWS = 25;

/** By method and path, where `ID` is a number. */
const handlers: Record<string, Handler> = {
  "POST /api/v0/bundles/": ({ body }, { market }) => searchOffers(body, market),
  "PUT /api/v0/search/asks/": ({ body }, { market }) => searchOffers(body["q"] as Json, market),
  "PUT /api/v0/asks/ID/": rentOffer,
  "GET /api/v0/instances/ID/": (_, { market, now }, id) => {
    const found = market.find(id);
    return { status: 200, body: { instances: found === undefined ? null : makeInstanceRow(found, now()) } };
  },
  "PUT /api/v0/instances/ID/": changeInstance,
  "DELETE /api/v0/instances/ID/": (_, { market }, id) => {
    const found = market.find(id);
    if (found === undefined) return refuseInstance(id);
    market.destroy(found);
    return succeed({ msg: "Instance destroyed successfully" });
  },
  "GET /api/v1/instances/": listInstances,
  "GET /api/v0/instances/filters/": () => succeed({ filters: [] }),
  "GET /api/v0/instances/pending-price-increases/": (_, { account: { priceIncreases } }) =>
    succeed({
      ...{ count: priceIncreases.length, truncated: false },
      ...{ pending_price_increases: priceIncreases },
    }),
  "GET /api/v0/ssh/": (_, { account }) => ({
    status: 200,
    body: account.sshKeys.map((key, index) => ({
      ...{ id: index + 1, user_id: 1, public_key: key, created_at: "2026-01-01T00:00:00Z", deleted_at: null },
    })),
  }),
  "GET /api/v0/users/current": (_, { account }) => ({
    status: 200,
    body: { id: 1, username: "person", credit: account.credit, balance: 0, api_key: account.key },
  }),
  "GET /api/v0/gpu_names/unique/": () => succeed({ gpu_names: ["RTX 3090", "RTX 4090", "A100 SXM4"] }),
};

/** What the vendor would do and say. An instance's own key may stop and start this instance, and no more. */
export function answerCall(call: VastCall, vendor: Vendor): Answer {
  const [, id = ""] = /^\/api\/v\d\/(?:asks|instances)\/(\d+)\/$/.exec(call.path) ?? [];
  const handler = handlers[`${call.method} ${id === "" ? call.path : call.path.replace(id, "ID")}`];
  const isOpen = call.path === "/api/v0/gpu_names/unique/"; // asked without a key, by every start of the CLI
  const owner = vendor.market.list().find(({ containerKey }) => containerKey === call.key);
  if (owner !== undefined) {
    const isOwn = handler === changeInstance && Number(id) === owner.id && call.body["state"] !== undefined;
    return isOwn ? changeInstance(call, vendor, owner.id) : refuse(403, "forbidden", "not for this key");
  }
  if (!isOpen && call.key !== vendor.account.key) return refuse(401, "auth_error", "Invalid user key");
  if (handler === undefined) return refuse(404, "not_found", `there is no ${call.method} ${call.path}`);
  return handler(call, vendor, Number(id));
}

function searchOffers(query: Json, market: Market): Answer {
  const diskGb = Number(query["allocated_storage"] ?? 5);
  const rows = market.listOffers().map((offer) => makeOfferRow(offer, diskGb));
  const most = Math.min(Number(query["limit"] ?? MOST_OFFERS), MOST_OFFERS);
  const found = rows.filter((row) => matchesFilters(row, query));
  return { status: 200, body: { offers: sortRows(found, query["order"]).slice(0, most) } };
}

function rentOffer({ body }: VastCall, { market, account }: Vendor, id: number): Answer {
  const { image, disk, label, env, onstart } = body;
  if (typeof image !== "string" || image === "") return refuse(400, "invalid_args", "image is missing");
  if (typeof disk !== "number" || disk <= 0) return refuse(400, "invalid_args", "disk is no size");
  if (account.credit <= 0) return refuse(400, "insufficient_credit", "Your account lacks credit.");
  const instance = market.rent(id, {
    ...{ image, diskGb: disk, env: env as Json },
    label: typeof label === "string" ? label : null,
    onstart: typeof onstart === "string" ? onstart : null,
  });
  if (instance === undefined)
    return refuse(410, "no_such_ask", `Instance type by id ${id} is not available.`);
  return succeed({ new_contract: instance.id, instance_api_key: instance.containerKey });
}

function changeInstance({ body }: VastCall, { market }: Vendor, id: number): Answer {
  const found = market.find(id);
  if (found === undefined) return refuseInstance(id);
  const { state, label } = body;
  if (state === undefined && label === undefined)
    return refuse(400, "invalid_args", "nothing is to be changed");
  if (label !== undefined) found.label = String(label);
  if (state === "stopped") market.stop(found);
  if (state === "running") market.start(found);
  return succeed();
}

function listInstances({ query }: VastCall, { market, now }: Vendor): Answer {
  const filters = JSON.parse(query.get("select_filters") ?? "{}") as Json;
  const after = Number(query.get("after_token") ?? 0);
  const rows = market.list().map((instance: DoubleInstance) => makeInstanceRow(instance, now()));
  const found = rows.filter((row) => matchesFilters(row, filters));
  const page = found.filter(({ id }) => Number(id) > after).slice(0, MOST_ROWS);
  const last = Number(page.at(-1)?.["id"] ?? 0);
  const isMore = found.some(({ id }) => Number(id) > last && page.length > 0);
  return succeed({
    ...{ instances_found: page.length, total_instances: found.length, label_counts: {} },
    ...{ next_token: isMore ? String(last) : null, instances: page },
  });
}

function refuseInstance(id: number): Answer {
  return refuse(404, "no_such_instance", `Instance ${id} not found.`);
}
