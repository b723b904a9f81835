import { nameJobFiles } from "../runs/job-folder.ts";
import type { Observation } from "../runs/observe-script.ts";
import type { RunRecord } from "../runs/run-record.ts";

/** What a run's `pid` says of it; what that leaves out stays as it is on record. */
export function readPidFacts(seen: Observation, run: RunRecord): Partial<RunRecord> {
  const { log } = nameJobFiles(run.jobFolder, seen.attempt);
  if (!seen.pid) return { attempt: seen.attempt, log };
  return {
    attempt: seen.attempt,
    log,
    pid: seen.pid["group"] ? Number(seen.pid["group"]) : run.pid,
    session: seen.pid["session"] || run.session,
    gpus: seen.pid["gpus"] ? seen.pid["gpus"].split(",") : run.gpus,
    startedAt: seen.pid["started_at"] ?? run.startedAt,
  };
}
