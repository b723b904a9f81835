import { SortieError } from "../../base/error.ts";

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

/** `3 jobs a day`, `2 agents at once`, `the quota of the configuration`. */
export function describeLimit(limit: UserLimit, value: number | null): string {
  if (value === null) return `the ${limit} of the configuration`;
  return limit === "quota" ? `${value} jobs a day` : `${value} agents at once`;
}
