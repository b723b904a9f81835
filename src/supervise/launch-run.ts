import { SortieError } from "../base/error.ts";
import { VERSION } from "../base/version.ts";
import type { EnvironmentStatus } from "../env/build/environment-status.ts";
import { appendEvent } from "../runs/events.ts";
import { nameJobFiles } from "../runs/job-folder.ts";
import { makeJobScript } from "../runs/job-script.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { changeRun, moveRun } from "../runs/run-store.ts";
import { countSeatGpus, makeSeatVariables } from "../runs/seat.ts";
import type { Job, SentCode, Target, Transfer } from "../targets/target.ts";
import type { Desk, Environment } from "./desk.ts";
import type { EnvironmentNews } from "./environment/ready-environment.ts";
import { readyRun } from "./environment/ready-run.ts";
import type { LaunchStep, OnStep } from "./launch-steps.ts";
import type { Plan } from "./plan.ts";
import type { RemoteCode } from "./remote/load-code.ts";
import { findWritingFolder } from "./results-folder.ts";
import { settleRun } from "./settle-runs.ts";
import { findStartFolder } from "./start-folder.ts";
import type { WandbTerms } from "./wandb/wandb-terms.ts";

const SAMPLE_S = 10;
/** No attempt is the last one before the run has ended: its variables are kept till then. */
const NO_LAST_ATTEMPT = 1_000_000;

export interface Launch {
  readonly plan: Plan;
  readonly target: Target;
  /** UUIDs that the run may take, the first choice first. */
  readonly gpuCandidates: readonly string[];
  /** What runs here in place of the command, which runs elsewhere; null or absent: the command itself. */
  readonly command?: readonly string[] | null;
  /** What the host has of the environment under contract, as it was asked a moment ago; null or absent: it is asked. */
  readonly status?: EnvironmentStatus | null;
  /** Values of --env and --env-file; null: the `env` file is there already, with the caller's environment in it. */
  readonly variables: Readonly<Record<string, string>> | null;
  /** The environment that the supervisor inherits, where it runs on this machine. */
  readonly env: Environment;
  /** The code that its host gets first; null: it lies there already. */
  readonly code?: RemoteCode | null;
  readonly onProgress?: (transfer: Transfer) => void;
  /** Told while the run's environment is made ready. */
  readonly onNews?: ((news: EnvironmentNews) => void) | undefined;
  /** Calls the launch off while its environment is made ready: what was begun for it is ended, and the run is stopped. */
  readonly signal?: AbortSignal | undefined;
  /** All code is compared with what its host has by content: what a launch sends anew when that found a difference. */
  readonly byContent?: boolean;
}

/** From a run on record to a supervisor on record. @throws launch_failed, gpu_taken (nothing was started then) */
export async function launchRun(
  desk: Desk,
  run: RunRecord,
  launch: Launch,
  onStep: OnStep,
): Promise<RunRecord> {
  const sent = await bringCode(desk, run, launch, onStep);
  const ready = await readyRun(desk, run, launch);
  if (ready === null) return settleRun(desk, run.id);
  step(desk, run.id, "environment_ready", onStep);
  const { gpuCandidates } = ready;
  const job = { ...makeJob(ready.run, { ...launch, gpuCandidates }, launch.variables ?? {}), sent };
  await launch.target.prepare(job);
  step(desk, run.id, "folder_made", onStep);

  changeRun(desk.store, run.id, { startIntentAt: desk.clock.now().toISOString() });
  step(desk, run.id, "start_intended", onStep);

  const answer = await againWhenDamaged(launch, () => launch.target.launch(job, launch.env));
  onStep("started");
  if (answer.heldBy !== null) throw new SortieError("gpu_taken", { run: run.name, held: answer.heldBy });
  // It was stopped before it could begin.
  if (answer.pid["closed"]) return settleRun(desk, run.id);

  const notes = answer.screenFault ? [`screen was not used: ${answer.screenFault}`] : [];
  const recorded = moveRun(desk.store, run.id, "running", {
    log: nameJobFiles(run.jobFolder, run.attempt).log,
    session: answer.pid["session"] || null,
    gpus: answer.pid["gpus"] ? answer.pid["gpus"].split(",") : [],
    startedAt: answer.pid["claimed_at"] ?? desk.clock.now().toISOString(),
    observedAt: desk.clock.now().toISOString(),
    notes: [...run.notes, ...notes],
    waitingFor: null,
  });
  step(desk, run.id, "recorded", onStep);
  return recorded;
}

/** Brings the code to the run's host, where it does not run where it lies. */
export async function bringCode(
  desk: Desk,
  run: RunRecord,
  { target, code, onProgress, byContent = false }: Launch,
  onStep: OnStep,
): Promise<SentCode | null> {
  if (!code) return null;
  const beforeStep = (name: "commit" | "push") => {
    appendEvent(desk.store, run.id, `${name}_intended`, null, desk.clock.now());
  };
  const sent = await code.bring(target, { onProgress, beforeStep, byContent });
  if (sent.commit !== null && run.git) {
    changeRun(desk.store, run.id, { git: { ...run.git, commit: sent.commit } });
  }
  step(desk, run.id, "sent", onStep);
  return sent;
}

/**
 * What was changed within its size and second since it was last sent looks as if it were there already. Where the host
 * says so, before it does anything, all is compared by content and sent, once.
 */
export async function againWhenDamaged<Answer>(
  { target, code, onProgress }: Launch,
  start: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await start();
  } catch (fault) {
    if (!code || !(fault instanceof SortieError) || fault.code !== "sync_damaged") throw fault;
    await code.bring(target, { onProgress, byContent: true });
    return start();
  }
}

function step(desk: Desk, runId: string, name: LaunchStep, onStep: OnStep): void {
  appendEvent(desk.store, runId, name, null, desk.clock.now());
  onStep(name);
}

/** The job of a run, as its plan says; `variables` go into its `env` file. */
export function makeJob(
  run: RunRecord,
  { plan, gpuCandidates, command, variables: given }: Launch,
  variables: Readonly<Record<string, string>>,
): Job {
  const { terms } = plan;
  const { environment } = terms;
  const { request, seat, jobFolder } = run;
  const { entry = environment, contract = null } = run.environment;
  const cwd = findStartFolder(run);
  return {
    attempt: run.attempt,
    session: run.name,
    sent: null,
    variables,
    jobScript: makeJobScript({
      activation: entry.lines,
      cwd,
      command: command ?? nameInterpreter(request.command, environment.interpreter),
      variables: { ...(seat && makeSeatVariables(seat)), ...(terms.wandb && nameWandbRun(terms.wandb, run)) },
      threadShares: contract === null ? null : Number(terms.gpus.count) || 0,
    }),
    supervisor: {
      runId: run.id,
      runName: run.name,
      jobFolder,
      resultsFolder: findWritingFolder(cwd, request.results, { isHere: !run.remote }),
      timeLimitS: terms.modal ? null : request.timeoutS, // Modal keeps to its own
      graceS: request.graceS,
      sampleS: SAMPLE_S,
      lastAttempt: seat ? NO_LAST_ATTEMPT : run.attempt,
      gpuCount: seat ? countSeatGpus(seat) : terms.gpus.count,
      gpuCandidates,
      ifTaken: seat || request.waitGpuS !== null ? "wait" : "end",
      environment: given === null && !run.remote ? "file" : "inherited",
      jobShell: entry.shell,
    },
    meta: makeMeta(run, plan),
  };
}

/** One run of W&B's for all attempts. */
function nameWandbRun({ variables, id, way }: WandbTerms, run: RunRecord): Readonly<Record<string, string>> {
  return id === null && way !== "forward" ? { ...variables, WANDB_RUN_ID: run.id } : variables;
}

/** The interpreter that the target's section names is the `python` of the command. */
function nameInterpreter(command: readonly string[], interpreter: string | null): readonly string[] {
  const [program = "", ...words] = command;
  return interpreter !== null && /^python3?$/.test(program) ? [interpreter, ...words] : command;
}

/** The request as launched. Which GPUs it took is decided at the start: `pid` names them. */
function makeMeta(run: RunRecord, plan: Plan): unknown {
  const { target, environment, gpus, code } = plan.terms;
  const { request, remote } = run;
  return {
    schema: 1,
    sortie: VERSION,
    id: run.id,
    name: run.name,
    plan: plan.id,
    planHash: plan.hash,
    createdAt: run.createdAt,
    target,
    command: request.command,
    request,
    environment: { ...environment, ...run.environment },
    gpus,
    code,
    remote: remote ? { ...remote, address: undefined } : null,
    wandb: run.wandb ?? null,
    ...(plan.terms.instance && { instance: plan.terms.instance }),
    ...(run.modal && { modal: run.modal }),
    notes: run.notes,
    jobFolder: nameJobFiles(run.jobFolder).folder,
  };
}

/** Another took the run's GPUs first. */
export function isGpuTaken(fault: unknown): fault is SortieError {
  return fault instanceof SortieError && fault.code === "gpu_taken";
}
