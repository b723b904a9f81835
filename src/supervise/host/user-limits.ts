import { SortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { limitRanges } from "../../gateway/config/value-readers.ts";

export type UserLimit = "quota" | "parallelism";

/** `default` is null: as the configuration says. @throws value_bad */
export function readUserLimit(limit: UserLimit, text: string): number | null {
  if (text === "default") return null;
  const [least, most] = limitRanges[limit];
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new SortieError("value_bad", {
    ...{ what: `The ${limit}`, value: quoteInput(text), reason: "it is no whole number in its range" },
    advice: `Write ${least} to ${most}, or default.`,
  });
}

type Configured = Pick<GatewayConfig, "quota" | "parallelism">;

/** What the configuration gives those who have no limit of their own. */
export function findConfigured({ quota, parallelism }: Configured, limit: UserLimit): number {
  return limit === "quota" ? quota.limit : parallelism;
}

/** `3 jobs a day`, `1 agent at once`. */
export function describeLimit(count: number, limit: UserLimit): string {
  if (limit === "quota") return `${count} ${count === 1 ? "job" : "jobs"} a day`;
  return `${count} ${count === 1 ? "agent" : "agents"} at once`;
}

/** `3 jobs a day`, `99 jobs a day as configured`. */
export function describeOwnLimit(config: Configured, limit: UserLimit, value: number | null): string {
  if (value !== null) return describeLimit(value, limit);
  return `${describeLimit(findConfigured(config, limit), limit)} as configured`;
}

/** What a plan rests on that tells limits of the configuration. */
export function listConfigured(
  config: Configured & Pick<GatewayConfig, "file">,
  limit: UserLimit,
  ...told: readonly (number | null)[]
) {
  if (!told.includes(null)) return [];
  const value = findConfigured(config, limit);
  return [{ kind: "configured", file: config.file, limit, value } as const];
}
