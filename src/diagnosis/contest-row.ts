import type { ContestSymptoms } from "./contest-symptoms.ts";

/** What fills the `{name}` places of a row's texts. */
export type ContestFacts = Readonly<Record<string, string>>;

/** One row: a symptom of a contestant's job, what it means and what to do. */
export interface ContestRow {
  readonly code: string;
  /** What it is about, for the first column. */
  readonly what: "gateway" | "login" | "state file" | "clock" | "job" | "endpoint" | "proxy" | "agents";
  /** `bad` must be repaired, `warning` may come right by itself or takes something away. */
  readonly level: "ok" | "warning" | "bad";
  /** The signs of it, a finding each; none: it is not so. */
  readonly find: (seen: ContestSymptoms) => readonly ContestFacts[];
  readonly cause: string;
  readonly evidence: string;
  /** Null where nothing is to be done. */
  readonly next: string | null;
}

/** Keeps a table's rows in the order in which their findings are shown. */
export function defineContestRows(rows: readonly ContestRow[]): readonly ContestRow[] {
  return rows;
}

/** The facts of a sign that is there once or not at all. */
export function findOnce(isSo: boolean, facts: ContestFacts = {}): readonly ContestFacts[] {
  return isSo ? [facts] : [];
}
