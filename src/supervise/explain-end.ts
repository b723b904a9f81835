import { formatDuration } from "../base/duration.ts";
import { describeEnd, diagnoseRun, type RunSymptoms } from "../diagnosis/diagnose-run.ts";
import type { Verdict } from "../runs/judge-run.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { readLogEndOf } from "./open-log.ts";

const TAIL_BYTES = 64 * 1024;

/** The end of a run as its record keeps it: what happened, the line that shows it, and what to do next. */
export async function explainEnd(desk: Desk, run: RunRecord, verdict: Verdict): Promise<Partial<RunRecord>> {
  const { endReason, exitCode, endedAt, durationS } = verdict;
  const diagnosis = diagnoseRun({
    run: run.name,
    endReason: endReason ?? "unknown",
    exitCode,
    logTail: await readTailText(desk, run),
    stop: verdict.stop,
    timeLimit: run.request.timeoutS === null ? null : formatDuration(run.request.timeoutS),
    hostEvidence: verdict.evidence,
    pids: run.pid === null ? [] : [run.pid],
    ...verdict.memory,
  });
  const end = {
    endReason: diagnosis?.endReason ?? endReason,
    exitCode,
    endedAt,
    durationS,
    cause: diagnosis?.cause ?? null,
    evidence: diagnosis?.evidence ?? null,
    nextStep: diagnosis?.next ?? null,
  };
  if (!run.modal) return end;
  return (await import("./modal/explain-modal-end.ts")).explainModalEnd(run, end);
}

/** What Sortie itself knows of an end that no job folder tells of. */
export interface OwnEnd extends Pick<RunSymptoms, "endReason" | "stop" | "waitLimit"> {
  /** The line that shows it. */
  readonly evidence: string | null;
  readonly endedAt: string;
}

/** The same for a run of which nothing ran: it has no log, and no results, unless an earlier attempt left some. */
export function explainUnstarted(run: RunRecord, end: OwnEnd): Partial<RunRecord> {
  const { endReason, endedAt, evidence, stop, waitLimit } = end;
  const { cause, ...diagnosis } = describeEnd({
    ...{ run: run.name, endReason, exitCode: null, logTail: "", stop, waitLimit },
    ...{ hostEvidence: evidence, pids: [], kernelLog: "", oomKills: 0 },
  });
  return {
    ...{ endReason, endedAt, cause, evidence: diagnosis.evidence ?? evidence, nextStep: diagnosis.next },
    ...{ waitingFor: null, results: run.startedAt === null ? [] : null },
  };
}

async function readTailText(desk: Desk, run: RunRecord): Promise<string> {
  try {
    return await readLogEndOf(desk, run, TAIL_BYTES);
  } catch {
    return ""; // a log that cannot be read explains nothing, and must not keep the end from being recorded
  }
}
