import type { RunRecord } from "../runs/run-record.ts";

/** What a host's clock shows less what ours does, in seconds; 0 where it did not say. */
export function findSkewS(hostNow: string, now: Date): number {
  const skewS = Math.round((Date.parse(hostNow) - now.getTime()) / 1000);
  return Number.isNaN(skewS) ? 0 : skewS;
}

/** What the clock of a run's host shows now: its times are to be compared with this one alone. */
export function findHostNow({ clockSkewS = 0 }: Pick<RunRecord, "clockSkewS">, now: Date): Date {
  return new Date(now.getTime() + clockSkewS * 1000);
}
