import { statSync } from "node:fs";
import { describeFault, SortieError } from "../base/error.ts";
import { makeToken } from "../base/ids.ts";
import { findPersonalHome } from "../disk/home.ts";
import type { CheckedEnvironment } from "../env/check-environment.ts";
import { checkEnvironment } from "../env/check-environment.ts";
import { makeGpuPredicates } from "../gpus/check-gpus.ts";
import { chooseGpus } from "../gpus/choose-gpus.ts";
import { checkRunName, makeFreeName, makeRunName } from "../runs/run-name.ts";
import type { RunRequest } from "../runs/run-record.ts";
import { listLiveRuns } from "../runs/run-store.ts";
import type { Provenance } from "../sync/provenance.ts";
import type { Target } from "../targets/target.ts";
import { chooseEnvironment } from "./choose-environment.ts";
import type { ChosenTarget } from "./choose-target.ts";
import type { Desk } from "./desk.ts";
import { estimateDuration } from "./estimate-duration.ts";
import { makeTarget } from "./find-target.ts";
import {
  type GpusOfRun,
  listPlannedNames,
  makePlanId,
  type Plan,
  type PlanTerms,
  type Predicate,
  savePlan,
} from "./plan.ts";
import { findObjects, saveVariables } from "./plan-variables.ts";
import { makeNotes, makeSideEffects } from "./plan-words.ts";
import { recordCode } from "./record-code.ts";
import { reserveForWaiting } from "./reserve-gpus.ts";
import { settleRuns } from "./settle-runs.ts";
import { sweepPlans } from "./sweep-plans.ts";

/**
 * Looks at everything that a launch needs, does nothing, and keeps a plan of it.
 * @throws run_name_bad, run_name_taken, folder_missing, environment_missing, gpus_busy and its like
 */
export async function planRun(
  desk: Desk,
  request: RunRequest,
  chosen: ChosenTarget,
  variables: Readonly<Record<string, string>>,
): Promise<Plan> {
  checkFolder(request.cwd);
  await settleRuns(desk);
  sweepPlans(desk);
  chooseName(desk, request); // refused before anything is asked of the host
  const target = makeTarget(desk, chosen.section.kind, chosen.settings);
  const id = makePlanId();
  const [environment, code] = await Promise.all([
    checkEnvironment(
      desk.runner,
      chooseEnvironment(chosen.section, { cwd: request.cwd, home: findPersonalHome(desk.env) }),
      {
        token: makeToken(),
        command: request.command,
        env: desk.env,
      },
    ),
    recordCode(desk, request, findObjects(desk, id)),
  ]);
  const gpus = await chooseForRun(desk, target, request, environment);
  saveVariables(desk, id, variables);
  // Of two plans made in the same second each gets a name of its own.
  return desk.store.together(() => {
    const name = chooseName(desk, request);
    const terms = makeTerms(desk, { name, request, chosen, target, environment, code, gpus });
    const notes = makeNotes({ terms, variables, gpus });
    return savePlan(desk, { id, terms, restsOn: makePredicates(terms, chosen, gpus), notes });
  });
}

interface Found {
  readonly name: string;
  readonly request: RunRequest;
  readonly chosen: ChosenTarget;
  readonly target: Target;
  readonly environment: CheckedEnvironment;
  readonly code: Provenance;
  readonly gpus: GpusOfRun;
}

function checkFolder(path: string): void {
  let reason: string;
  try {
    if (statSync(path).isDirectory()) return;
    reason = "it is not a folder";
  } catch (fault) {
    reason = describeFault(fault);
  }
  throw new SortieError("folder_missing", { path, reason });
}

function chooseName(desk: Desk, request: RunRequest): string {
  const live = listLiveRuns(desk.store);
  if (request.name !== null) {
    const name = checkRunName(request.name);
    const taken = live.find((run) => run.name === name);
    if (taken) throw new SortieError("run_name_taken", { name, run: taken.id });
    return name;
  }
  const taken = new Set([...live.map((run) => run.name), ...listPlannedNames(desk)]);
  return makeFreeName(makeRunName(request.command, desk.clock.now()), taken);
}

async function chooseForRun(
  desk: Desk,
  target: Target,
  request: RunRequest,
  environment: CheckedEnvironment,
): Promise<GpusOfRun> {
  if (request.gpus === "none" && request.gpu.length === 0) {
    return { choice: { gpus: [], candidates: [], why: "none: hidden from the run, as asked" }, busy: null };
  }
  const python = environment.python ? [environment.python.path] : null;
  const report = reserveForWaiting(desk, await target.loadGpus({ python }));
  try {
    return { choice: chooseGpus(report, { count: request.gpus, gpu: request.gpu }), busy: null };
  } catch (fault) {
    const mayWait = fault instanceof SortieError && fault.code === "gpus_busy" && request.waitGpuS !== null;
    if (mayWait) return { choice: null, busy: fault.message };
    throw fault;
  }
}

function makeTerms(desk: Desk, found: Found): PlanTerms {
  const { name, request, chosen, target, environment, code, gpus } = found;
  const first = gpus.choice?.gpus[0];
  const { activation, python } = environment;
  const terms = {
    name,
    target: { name: chosen.section.name, kind: chosen.section.kind, host: target.host },
    request,
    environment: { label: activation.label, lines: activation.lines, shell: activation.shell, python },
    gpus: {
      count: countGpus(request, gpus),
      model: first?.name ?? null,
      memoryTotalMiB: first?.memoryTotalMiB ?? null,
      freeMemoryMiB: chosen.settings.freeMemoryMiB,
      preferred: gpus.choice?.gpus.flatMap((gpu) => gpu.uuid ?? []) ?? [],
      why: gpus.choice?.why ?? gpus.busy ?? "",
    },
    code,
    jobDir: target.jobDir,
    expected: estimateDuration(desk, request),
  };
  return { ...terms, sideEffects: makeSideEffects(terms, gpus) };
}

function countGpus(request: RunRequest, { choice }: GpusOfRun): number | "none" {
  if (request.gpus === "none" && request.gpu.length === 0) return "none";
  if (choice) return choice.gpus.filter((gpu) => gpu.uuid !== null).length;
  return request.gpus === "default" || request.gpus === "none"
    ? Math.max(1, request.gpu.length)
    : request.gpus;
}

function makePredicates(terms: PlanTerms, chosen: ChosenTarget, { choice }: GpusOfRun): Predicate[] {
  const { request, environment, code } = terms;
  const gpus = choice ? makeGpuPredicates(choice, { named: request.gpu.length > 0 }) : [];
  return [
    ...gpus.map((predicate) => ({ kind: "gpus" as const, gpus: predicate })),
    {
      kind: "code",
      state: code.kind === "git" ? code.tree : code.kind === "files" ? code.hash : "not recorded",
    },
    { kind: "config", target: chosen.section.name, hash: chosen.hash, files: chosen.footprint },
    { kind: "folder", path: request.cwd },
    ...(environment.python ? [{ kind: "python" as const, path: environment.python.path }] : []),
    { kind: "name", name: terms.name },
  ];
}
