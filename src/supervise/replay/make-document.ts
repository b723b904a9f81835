import { makeErrorDocument } from "../../base/error.ts";
import type { ReadFiles } from "./read-each.ts";
import type { SessionReplay } from "./replay-session.ts";
import type { RecordingSurvey } from "./survey-recording.ts";

/** What recordings hold, in the shape that `--json` prints and that people are shown. */
export interface SurveyDocument {
  readonly recordings: readonly RecordingSurvey[];
  readonly faults: readonly FaultDocument[];
}

/** What a replay came to. */
export interface ReplayDocument {
  readonly handler: string;
  readonly tolerance: number;
  /** Every recording was read and played, with equal actions. */
  readonly passed: boolean;
  readonly sessions: readonly SessionReplay[];
  /** Files that were not played, since the handler had ended before. */
  readonly notPlayed: readonly string[];
  readonly faults: readonly FaultDocument[];
}

/** A file that could not be read. */
export interface FaultDocument {
  readonly file: string;
  readonly error: ReturnType<typeof makeErrorDocument>;
}

export function makeSurveyDocument({ results, faults }: ReadFiles<RecordingSurvey>): SurveyDocument {
  return { recordings: results, faults: makeFaults(faults) };
}

export function makeReplayDocument(
  { handler, tolerance }: { readonly handler: string; readonly tolerance: number },
  { results, faults, left }: ReadFiles<SessionReplay>,
): ReplayDocument {
  const passed = faults.length === 0 && left.length === 0 && results.every((session) => session.passed);
  return { handler, tolerance, passed, sessions: results, notPlayed: left, faults: makeFaults(faults) };
}

function makeFaults(faults: ReadFiles<unknown>["faults"]): FaultDocument[] {
  return faults.map(({ file, error }) => ({ file, error: makeErrorDocument(error) }));
}
