import type { Stage } from "./diagnosis-row.ts";
import type { LogEnding } from "./log-ending.ts";
import { isEpilogue, readLogLines } from "./log-lines.ts";
import { type Diagnosis, diagnose, type Signs } from "./match-row.ts";
import { findSignal } from "./signals.ts";

/** What is known of a step in the life of an environment that failed. */
export interface OutputSymptoms {
  readonly stage: Exclude<Stage, "run">;
  /** The end of what it printed, some 64 kB, stdout and stderr; of a build, that of the step that failed. */
  readonly text: string;
  /** null: it was ended by a signal. */
  readonly exitCode: number | null;
}

/** Why a step failed and what to do about it, from the table that runs have too; null where nothing in it is known. */
export function diagnoseOutput({ stage, text, exitCode }: OutputSymptoms): Diagnosis | null {
  const signal = findSignal(null, exitCode);
  const endReason = exitCode === null || signal !== null ? "signal" : "exited";
  const ending = listOutput(text);
  const signs: Signs = {
    stage,
    endReason,
    exitCode,
    signal,
    ending,
    oomKill: null,
    hasWaited: false,
    stopBy: null,
  };
  return diagnose(signs, { exitCode: exitCode === null ? null : String(exitCode), signal });
}

/** Installers go on for some lines after the one that tells; beyond these stands what went before and was survived. */
const OUTPUT_LINES = 200;

/** Its last lines, the newest first. pip indents what the programs that it starts have said. */
function listOutput(text: string): LogEnding {
  const lines = readLogLines(text)
    .filter((line) => !isEpilogue(line))
    .slice(-OUTPUT_LINES)
    .map((line) => line.trim())
    .reverse();
  return { end: lines, exception: lines, closing: lines };
}
