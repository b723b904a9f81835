import type { RunRecord } from "../runs/run-record.ts";
import type { Plan } from "./plan.ts";
import { makeRunLink } from "./wandb/run-link.ts";

/** A run as `show --json` prints it. Times ISO 8601 UTC; what is not known is null. */
export function makeRunDocument(run: RunRecord) {
  return {
    id: run.id,
    name: run.name,
    state: run.state,
    endReason: run.endReason,
    exitCode: run.exitCode,
    target: run.target,
    kind: run.kind,
    host: run.host,
    gpus: run.gpus,
    command: run.request.command,
    cwd: run.request.cwd,
    environment: makeEnvironmentDocument(run),
    git: run.git,
    session: run.session,
    pid: run.pid,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    durationS: run.durationS,
    attempt: run.attempt,
    jobFolder: run.modal ? null : run.jobFolder,
    log: run.log,
    expected: run.expected,
    cause: run.cause,
    evidence: run.evidence,
    nextStep: run.nextStep,
    results: (run.results ?? []).map(({ path, bytes, sha256, shared }) => ({ path, bytes, sha256, shared })),
    resultsFolder: run.resultsFolder,
    collected: run.results !== null,
    collectFault: run.collectFault,
    notes: run.notes,
    reachable: run.reachable,
    observedAt: run.observedAt,
    silence: run.silence ?? null,
    waitingFor: run.waitingFor,
    quietSince: run.quietSince ?? null,
    plan: run.plan,
    modal: run.modal ?? null,
    wandb: run.wandb ? { ...run.wandb, link: makeRunLink(run.wandb) } : null,
  };
}

/** Without the lines that enter it: they set what its specification holds, which may be secret. */
function makeEnvironmentDocument({ environment: { label, python, contract = null } }: RunRecord) {
  return { label, python, contract };
}

/** What `run` and `confirm` print. */
export function makeLaunchDocument(plan: Plan, run: RunRecord) {
  const { id, name, state, endReason, exitCode, cause, evidence, nextStep } = run;
  const { session, pid, host, gpus, log, expected } = run;
  const jobFolder = run.modal ? null : run.jobFolder; // it holds the follower alone
  const ending = { endReason, exitCode, cause, evidence, nextStep };
  return {
    plan: { id: plan.id, expiresAt: plan.expiresAt },
    run: {
      ...{ id, name, state, ...ending, jobFolder, session, pid, host, gpus, log, expected },
      ...(run.modal && { modal: run.modal }),
    },
  };
}
