import { SortieError } from "../../base/error.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";

export type UserLimit = "quota" | "parallelism";

const ranges = { quota: [0, 1_000_000], parallelism: [1, 10_000] } as const;

/** `default` is null: as the configuration says. @throws value_bad */
export function readUserLimit(limit: UserLimit, text: string): number | null {
  if (text === "default") return null;
  const [least, most] = ranges[limit];
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new SortieError("value_bad", {
    ...{ what: `The ${limit}`, value: JSON.stringify(text), reason: "it is no whole number in its range" },
    advice: `Write ${least} to ${most}, or default.`,
  });
}

/** `3 jobs a day`, `2 agents at once`, `99 jobs a day as configured`. */
export function describeLimit(
  { quota, parallelism }: Pick<GatewayConfig, "quota" | "parallelism">,
  limit: UserLimit,
  value: number | null,
): string {
  const count = value ?? (limit === "quota" ? quota.limit : parallelism);
  const words = limit === "quota" ? `${count} jobs a day` : `${count} agents at once`;
  return value === null ? `${words} as configured` : words;
}
