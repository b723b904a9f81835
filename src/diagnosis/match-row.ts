import type { Condition, DiagnosisRow, EndReason, Layer, LogSign, Stage } from "./diagnosis-row.ts";
import type { LogEnding } from "./log-ending.ts";
import { diagnosisTable } from "./table.ts";

export interface Diagnosis {
  /** Of the row in the table. */
  readonly code: string;
  /** What was observed, or what the evidence proves beyond it. */
  readonly endReason: EndReason;
  readonly layer: Layer;
  readonly cause: string;
  /** The very line that shows it, from the log, the kernel or the host. */
  readonly evidence: string | null;
  readonly next: string;
}

/** What the rows are held against, read from the symptoms once. */
export interface Signs {
  readonly stage: Stage;
  readonly endReason: EndReason;
  readonly exitCode: number | null;
  /** Without SIG. */
  readonly signal: string | null;
  readonly ending: LogEnding;
  readonly oomKill: string | null;
  readonly hasWaited: boolean;
  /** Who asked for a stop; null: nobody. */
  readonly stopBy: string | null;
}

/** What fills the places of a row's texts; what is not known is null. */
export type Facts = Readonly<Record<string, string | null | undefined>>;

/** What the first row that holds says; null: none does. */
export function diagnose(signs: Signs, facts: Facts): Diagnosis | null {
  for (const row of diagnosisTable) {
    const match = matchRow(row.when, signs);
    if (match !== null) return describeRow(row, match, signs, facts);
  }
  return null;
}

/** A row that holds whatever the signs are. */
export function describeAnyway(row: DiagnosisRow, signs: Signs, facts: Facts): Diagnosis {
  return describeRow(row, { line: null, groups: {} }, signs, facts);
}

interface RowMatch {
  /** The line that matched, where the row asks for one. */
  readonly line: string | null;
  readonly groups: Facts;
}

const OWN_ENDS: readonly EndReason[] = ["exited", "signal"];
const RUN: readonly Stage[] = ["run"];

function matchRow(when: Condition, signs: Signs): RowMatch | null {
  const { stages = RUN, reasons = OWN_ENDS, exitCodes, signals, log, oomKill, hasWaited, stoppedBy } = when;
  if (!stages.includes(signs.stage) || !reasons.includes(signs.endReason)) return null;
  if (hasWaited && !signs.hasWaited) return null;
  if (stoppedBy && stoppedBy !== signs.stopBy) return null;
  if (exitCodes && !exitCodes.includes(signs.exitCode ?? -1)) return null;
  if (signals && !signals.includes(signs.signal ?? "")) return null;
  if (oomKill) return signs.oomKill === null ? null : { line: signs.oomKill, groups: {} };
  return log === undefined ? { line: null, groups: {} } : matchLog(log, signs.ending);
}

function matchLog({ in: part, line, beside }: LogSign, ending: LogEnding): RowMatch | null {
  const lines = ending[part];
  if (beside && !lines.some((text) => beside.test(text))) return null;
  for (const text of lines) {
    const match = line.exec(text);
    if (match !== null) return { line: text, groups: match.groups ?? {} };
  }
  return null;
}

function describeRow(row: DiagnosisRow, match: RowMatch, signs: Signs, facts: Facts): Diagnosis {
  const all = { ...facts, ...match.groups };
  return {
    code: row.code,
    endReason: row.proves ?? signs.endReason,
    layer: row.layer,
    cause: fillIn(row.cause, all) ?? row.cause,
    evidence: match.line ?? (row.evidence === undefined ? null : fillIn(row.evidence, all)),
    next: fillIn(row.next, all) ?? row.next,
  };
}

/** null when a fact that the text names is not known. */
function fillIn(template: string, facts: Facts): string | null {
  const isKnown = [...template.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => facts[name]);
  return isKnown ? template.replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? "") : null;
}
