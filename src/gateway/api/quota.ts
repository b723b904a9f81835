import { countJobsOfDay } from "../records/jobs.ts";
import type { User } from "../records/users.ts";
import type { ApiHost } from "./api-host.ts";
import { findQuotaDay } from "./quota-day.ts";
import { Refusal } from "./refusal.ts";

/** The submissions of a user, of today. */
export interface Quota {
  readonly day: string;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

type QuotaHost = Pick<ApiHost, "records" | "clock" | "config">;

export function readQuota({ records, clock, config }: QuotaHost, user: User): Quota {
  const day = findQuotaDay(clock.now(), config.quota.timeZone);
  const limit = user.quota ?? config.quota.limit;
  const used = countJobsOfDay(records, user.id, day);
  return { day, limit, used, remaining: Math.max(0, limit - used) };
}

/** @throws Refusal with the words by which clients know that today's submissions are used up. */
export function checkQuota(host: QuotaHost, user: User): Quota {
  const quota = readQuota(host, user);
  if (quota.remaining > 0) return quota;
  const { timeZone } = host.config.quota;
  throw new Refusal(
    400,
    `upload limit reached: ${quota.used} of ${quota.limit} submissions of today are used, the next day begins at 00:00 ${timeZone}`,
  );
}
