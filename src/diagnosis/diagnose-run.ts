import type { DiagnosisRow, EndReason } from "./diagnosis-row.ts";
import { findEnding } from "./log-ending.ts";
import { type Diagnosis, describeAnyway, diagnose, type Facts, type Signs } from "./match-row.ts";
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

/** Why a run ended as it did and what to do about it; null for a run that succeeded. */
export function diagnoseRun(symptoms: RunSymptoms): Diagnosis | null {
  const isSuccess = symptoms.endReason === "exited" && symptoms.exitCode === 0;
  return isSuccess ? null : describeEnd(symptoms);
}

/** The same for every end, success too. */
export function describeEnd(symptoms: RunSymptoms): Diagnosis {
  const signs = readSigns(symptoms);
  const facts = makeFacts(symptoms, signs);
  return diagnose(signs, facts) ?? describeAnyway(diagnosisTable.at(-1) as DiagnosisRow, signs, facts);
}

function readSigns(symptoms: RunSymptoms): Signs {
  const { endReason, exitCode, logTail } = symptoms;
  const signal = findSignal(symptoms.signal ?? null, exitCode);
  const oomKill = findOomKill({ ...symptoms, signal });
  const hasWaited = Boolean(symptoms.waitLimit);
  const stopBy = symptoms.stop?.by ?? null;
  return {
    stage: "run",
    endReason,
    exitCode,
    signal,
    ending: findEnding(logTail),
    oomKill,
    hasWaited,
    stopBy,
  };
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
