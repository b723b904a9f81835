import type { Level } from "../../payload/rule.ts";
import type { Evidence } from "./evidence.ts";

/** The heading under which a check is shown. */
export type CheckGroup = "start" | "reply" | "sessions" | "link" | "drain" | "speed";

/** One row of the table of checks. */
export interface CheckRow {
  readonly name: string;
  readonly level: Level;
  readonly group: CheckGroup;
  /** What must hold, in words. */
  readonly wants: string;
  /** What to do when it does not. */
  readonly advice: string;
  /** Checks above this one: when one of them failed, this one says nothing new and is skipped. */
  readonly needs?: readonly string[];
  /** Undefined where the rehearsal came by nothing to judge it by; `otherwise` says why that may be so. */
  readonly judge: (evidence: Evidence) => Verdict | undefined;
  readonly otherwise?: string;
}

export interface Verdict {
  readonly ok: boolean;
  /** What was seen, in words; empty where there is nothing to add. */
  readonly detail: string;
  /** The detail says what to do as well: the advice of the row would add nothing. */
  readonly isExplained?: boolean;
}

/** A check with its result, as it is shown and as `--json` prints it. */
export interface Check {
  readonly name: string;
  readonly level: Level;
  readonly group: CheckGroup;
  /** null where it was skipped. */
  readonly ok: boolean | null;
  readonly skipped: boolean;
  readonly wants: string;
  readonly detail: string;
  /** What to do; null where nothing is to be done. */
  readonly advice: string | null;
}

/** Judges the evidence by every row, from the top. What depends on a failed check is skipped: one mistake is told once. */
export function applyChecks(rows: readonly CheckRow[], evidence: Evidence): Check[] {
  /** For each check that says nothing new: the failed one that it depends on, over however many others. */
  const roots = new Map<string, string>();
  return rows.map((row) => {
    const root = row.needs?.map((need) => roots.get(need)).find((found) => found !== undefined);
    if (root !== undefined) {
      roots.set(row.name, root);
      return makeCheck(row, { ok: null, detail: `depends on ${root}` });
    }
    const verdict = row.judge(evidence);
    if (verdict === undefined)
      return makeCheck(row, { ok: null, detail: row.otherwise ?? "the rehearsal did not get there" });
    if (!verdict.ok) roots.set(row.name, row.name);
    return makeCheck(row, verdict);
  });
}

/** Whether an agent with these results may be sent to a challenge: no hard check failed. */
export function isPassed(checks: readonly Check[]): boolean {
  return checks.every(({ level, ok }) => level === "soft" || ok !== false);
}

function makeCheck(
  row: CheckRow,
  { ok, detail, isExplained = false }: Omit<Verdict, "ok"> & { ok: boolean | null },
): Check {
  const { name, level, group, wants } = row;
  const advice = ok === false && !isExplained ? row.advice : null;
  return { name, level, group, ok, skipped: ok === null, wants, detail, advice };
}
