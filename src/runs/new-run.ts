import { nameJobFiles } from "./job-folder.ts";
import type { RunRecord } from "./run-record.ts";

/** What is known of a run before it is started. */
export type NewRunFacts = Pick<
  RunRecord,
  | "id"
  | "name"
  | "plan"
  | "target"
  | "kind"
  | "host"
  | "request"
  | "environment"
  | "git"
  | "createdAt"
  | "jobFolder"
  | "expected"
  | "notes"
  | "launcher"
  | "startIntentAt"
  | "remote"
  | "wandb"
  | "modal"
>;

/** A record in the state `preparing`, with nothing observed yet. */
export function makeNewRun(facts: NewRunFacts): RunRecord {
  return {
    ...facts,
    state: "preparing",
    endReason: null,
    exitCode: null,
    gpus: [],
    startedAt: null,
    endedAt: null,
    durationS: null,
    attempt: 1,
    log: nameJobFiles(facts.jobFolder).log,
    session: null,
    pid: null,
    cause: null,
    evidence: null,
    nextStep: null,
    results: null,
    resultsFolder: null,
    collectFault: null,
    waitingFor: null,
    reachable: true,
    observedAt: null,
  };
}
