import type { FastifyRequest } from "fastify";
import type { ApiServer } from "./api-server.ts";
import { Refusal } from "./refusal.ts";

/** Tries to log in, by whom they are counted. An address is an IPv4 address or a /64 of IPv6. */
export interface LoginLimits {
  /** @throws Refusal 429 */
  countAddress(request: FastifyRequest): Promise<void>;
  /** Counts nothing of an address from which this account was logged in to before. @throws Refusal 429 */
  countAccount(request: FastifyRequest, email: string): Promise<void>;
  /** The password was right. */
  noteSuccess(request: FastifyRequest, email: string): void;
}

const MINUTE_MS = 60_000;
/**
 * How many addresses it takes, each at its own limit, to use up an account's: whoever has fewer can keep nobody out. With more
 * they keep out only those who come from where they never logged in.
 */
const ADDRESSES = 10;
/** Of accounts and addresses that belong together; the ones used longest ago are forgotten, and all with a restart. */
const MOST_KNOWN = 10_000;
const ACCOUNT = "loginAccount";
const ADDRESS = "loginAddress";

/** Counts what it costs to guess passwords: of one address many accounts, of many addresses one account. */
export function makeLoginLimits(app: ApiServer, loginsPerMinute: number): LoginLimits {
  app.decorateRequest(ACCOUNT);
  app.decorateRequest(ADDRESS);
  const known = new Set<string>();
  const countOfAddress = app.createRateLimit({ max: loginsPerMinute, timeWindow: MINUTE_MS });
  const countOfAccount = app.createRateLimit({
    max: loginsPerMinute * ADDRESSES,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => `account ${request.getDecorator<string>(ACCOUNT)}`,
  });
  return {
    async countAddress(request) {
      // Of a connection that broke off, as Node does with a body that is no HTTP, nobody knows the address.
      if ((request.ip as string | undefined) === undefined)
        throw new Refusal(400, "the connection broke off before the request was whole");
      const count = await countOfAddress(request);
      request.setDecorator(ADDRESS, count.key);
      refuseExceeded(count);
    },
    async countAccount(request, email) {
      const account = email.trim().toLowerCase();
      request.setDecorator(ACCOUNT, account);
      if (known.has(makePair(request, account))) return;
      refuseExceeded(await countOfAccount(request));
    },
    noteSuccess(request, email) {
      const pair = makePair(request, email.trim().toLowerCase());
      known.delete(pair);
      known.add(pair);
      const [oldest = ""] = known;
      if (known.size > MOST_KNOWN) known.delete(oldest);
    },
  };
}

function makePair(request: FastifyRequest, account: string): string {
  return `${request.getDecorator<string>(ADDRESS)} ${account}`;
}

type Count = Awaited<ReturnType<ReturnType<ApiServer["createRateLimit"]>>>;

function refuseExceeded(count: Count): void {
  if (count.isAllowed || !count.isExceeded) return;
  const seconds = Math.max(1, count.ttlInSeconds);
  throw new Refusal(429, `too many tries to log in: wait ${seconds} s`, { "retry-after": String(seconds) });
}
