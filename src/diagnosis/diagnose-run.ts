import type { Condition, DiagnosisRow, EndReason, Layer } from "./diagnosis-row.ts";
import { findEnding, type LogEnding } from "./log-ending.ts";
import { findOomKill, type OomFacts } from "./oom-kill.ts";
import { findSignal } from "./signals.ts";
import { diagnosisTable } from "./table.ts";

/** What is known about a run that ended. */
export interface RunSymptoms extends OomFacts {
  /** The run's name, for the commands of the next step. */
  readonly run: string;
  readonly endReason: EndReason;
  readonly exitCode: number | null;
  /** Where it was recorded as such; else it is read from the exit code. */
  readonly signal?: string | null;
  /** The end of its log, some 64 kB. */
  readonly logTail: string;
  /** Who asked for a stop, and when (ISO 8601). */
  readonly stop?: { readonly by: string; readonly at: string } | null;
  readonly timeLimit?: string | null;
  /** How long it was to wait for a GPU, where that time is over. */
  readonly waitLimit?: string | null;
  /** What the host said for its own part: a new boot, no room left. */
  readonly hostEvidence?: string | null;
}

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

/** Why a run ended as it did and what to do about it; null for a run that succeeded. */
export function diagnoseRun(symptoms: RunSymptoms): Diagnosis | null {
  const isSuccess = symptoms.endReason === "exited" && symptoms.exitCode === 0;
  return isSuccess ? null : describeEnd(symptoms);
}

/** The same for every end, success too. */
export function describeEnd(symptoms: RunSymptoms): Diagnosis {
  const seen = readSigns(symptoms);
  const [row, match] = findRow(seen);
  const facts = { ...makeFacts(symptoms, seen), ...match.groups };
  return {
    code: row.code,
    endReason: row.proves ?? symptoms.endReason,
    layer: row.layer,
    cause: fillIn(row.cause, facts) ?? row.cause,
    evidence: match.line ?? (row.evidence === undefined ? null : fillIn(row.evidence, facts)),
    next: fillIn(row.next, facts) ?? row.next,
  };
}

/** What the rows are held against, read from the symptoms once. */
interface Signs {
  readonly endReason: EndReason;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly ending: LogEnding;
  readonly oomKill: string | null;
  readonly hasWaited: boolean;
}

interface RowMatch {
  /** The line that matched, where the row asks for one. */
  readonly line: string | null;
  readonly groups: Facts;
}

type Facts = Readonly<Record<string, string | null | undefined>>;

function readSigns(symptoms: RunSymptoms): Signs {
  const { endReason, exitCode, logTail } = symptoms;
  const signal = findSignal(symptoms.signal ?? null, exitCode);
  const oomKill = findOomKill({ ...symptoms, signal });
  const hasWaited = Boolean(symptoms.waitLimit);
  return { endReason, exitCode, signal, ending: findEnding(logTail), oomKill, hasWaited };
}

function findRow(signs: Signs): [DiagnosisRow, RowMatch] {
  for (const row of diagnosisTable) {
    const match = matchRow(row.when, signs);
    if (match !== null) return [row, match];
  }
  return [diagnosisTable.at(-1) as DiagnosisRow, { line: null, groups: {} }];
}

const OWN_ENDS: readonly EndReason[] = ["exited", "signal"];

function matchRow(when: Condition, signs: Signs): RowMatch | null {
  const { reasons = OWN_ENDS, exitCodes, signals, log, oomKill, hasWaited } = when;
  if (!reasons.includes(signs.endReason)) return null;
  if (hasWaited && !signs.hasWaited) return null;
  if (exitCodes && !exitCodes.includes(signs.exitCode ?? -1)) return null;
  if (signals && !signals.includes(signs.signal ?? "")) return null;
  if (oomKill) return signs.oomKill === null ? null : { line: signs.oomKill, groups: {} };
  return log === undefined ? { line: null, groups: {} } : matchLog(log, signs.ending);
}

function matchLog({ in: part, line }: NonNullable<Condition["log"]>, ending: LogEnding): RowMatch | null {
  for (const text of ending[part]) {
    const match = line.exec(text);
    if (match !== null) return { line: text, groups: match.groups ?? {} };
  }
  return null;
}

function makeFacts(symptoms: RunSymptoms, { signal }: Signs): Facts {
  const { run, exitCode, hostEvidence, timeLimit, waitLimit, stop } = symptoms;
  return {
    run,
    exitCode: exitCode === null ? null : String(exitCode),
    signal,
    hostEvidence,
    timeLimit,
    waitLimit,
    stopBy: stop?.by,
    stopAt: stop?.at,
  };
}

/** null when a fact that the text names is not known. */
function fillIn(template: string, facts: Facts): string | null {
  const isKnown = [...template.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => facts[name]);
  return isKnown ? template.replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? "") : null;
}
