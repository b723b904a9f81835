import type { FastifyRequest } from "fastify";
import type { ApiServer } from "./api-server.ts";
import { Refusal } from "./refusal.ts";

/** Tries to log in, by whom they are counted. */
export interface LoginLimits {
  countAddress(request: FastifyRequest): Promise<void>;
  countAccount(request: FastifyRequest, email: string): Promise<void>;
}

const MINUTE_MS = 60_000;
const ACCOUNT = "loginAccount";

/** Counts what it costs to guess passwords: of one address many accounts, of many addresses one account. @throws Refusal 429 */
export function makeLoginLimits(app: ApiServer, loginsPerMinute: number): LoginLimits {
  app.decorateRequest(ACCOUNT);
  const limits = { max: loginsPerMinute, timeWindow: MINUTE_MS };
  const countOfAddress = app.createRateLimit(limits);
  const countOfAccount = app.createRateLimit({
    ...limits,
    keyGenerator: (request) => `account ${request.getDecorator<string>(ACCOUNT)}`,
  });
  return {
    countAddress: async (request) => refuseExceeded(await countOfAddress(request)),
    countAccount: async (request, email) => {
      request.setDecorator(ACCOUNT, email.trim().toLowerCase());
      refuseExceeded(await countOfAccount(request));
    },
  };
}

type Count = Awaited<ReturnType<ReturnType<ApiServer["createRateLimit"]>>>;

function refuseExceeded(count: Count): void {
  if (count.isAllowed || !count.isExceeded) return;
  const seconds = Math.max(1, count.ttlInSeconds);
  throw new Refusal(429, `too many tries to log in: wait ${seconds} s`, { "retry-after": String(seconds) });
}
