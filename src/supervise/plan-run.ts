import { rmSync, statSync } from "node:fs";
import { describeFault, SortieError } from "../base/error.ts";
import type { CheckedEnvironment } from "../env/check-environment.ts";
import { chooseGpus } from "../gpus/choose-gpus.ts";
import type { GpuReport } from "../gpus/gpu-report.ts";
import type { SshHost } from "../process/ssh/ssh-host.ts";
import { checkRunName, makeFreeName, makeRunName } from "../runs/run-name.ts";
import type { RunRecord, RunRequest } from "../runs/run-record.ts";
import { listLiveRuns } from "../runs/run-store.ts";
import type { Preflight, Target } from "../targets/target.ts";
import { chooseEnvironment } from "./choose-environment.ts";
import type { ChosenTarget } from "./choose-target.ts";
import type { Desk } from "./desk.ts";
import { draftCode, findSyncWish } from "./draft-code.ts";
import { findContract, makeContractQuestion } from "./environment/find-contract.ts";
import { planForRun } from "./environment/plan-for-run.ts";
import { estimateDuration } from "./estimate-duration.ts";
import { findRemoteCodeDir, findRunPlace, wantsGpus } from "./find-run-place.ts";
import { findAddressOf, makeTarget } from "./find-target.ts";
import { isAtOrNamed } from "./group-by-host.ts";
import { nameHost } from "./host-name.ts";
import { checkMetricPatterns } from "./metrics/check-patterns.ts";
import {
  type GpusOfRun,
  listPlannedNames,
  makePlanId,
  type Plan,
  type RemoteTerms,
  savePlan,
} from "./plan.ts";
import { makePredicates, makeTerms } from "./plan-terms.ts";
import { findPlanFolder, keepFile, saveVariables } from "./plan-variables.ts";
import { makeNotes } from "./plan-words.ts";
import { findOwnFiles } from "./record-code.ts";
import { describeRemoteNotes } from "./remote/describe-remote.ts";
import type { SyncDraft } from "./remote/draft-sync.ts";
import { planRemote } from "./remote/plan-remote.ts";
import { saveSend } from "./remote/sent-files.ts";
import { reserveForWaiting } from "./reserve-gpus.ts";
import { listSectionNotes } from "./section-notes.ts";
import { settleRuns } from "./settle-runs.ts";
import { sweepPlans } from "./sweep-plans.ts";

/** What a plan is made for. */
interface Wanted {
  readonly id: string;
  readonly request: RunRequest;
  readonly chosen: ChosenTarget;
  readonly target: Target;
  /** It is to know which Node.js the host has, too. */
  readonly asksNode: boolean;
  readonly variables: Variables;
  /** It is one of an agent's processes: they log to their job's gateway, not to W&B. */
  readonly isAgent: boolean;
  /** The run that it is the plan of, where that is on record already. */
  readonly as: Pick<RunRecord, "name"> | null;
}

type PlanOptions = Partial<Pick<Wanted, "asksNode" | "isAgent" | "as">>;

type Variables = Readonly<Record<string, string>>;

/**
 * Looks at everything that a launch needs, does nothing, and keeps a plan of it.
 * @throws run_name_bad, run_name_taken, folder_missing, input_missing, environment_missing, gpus_busy and its like
 */
export async function planRun(
  desk: Desk,
  request: RunRequest,
  chosen: ChosenTarget,
  variables: Variables,
  { asksNode = false, isAgent = false, as = null }: PlanOptions = {},
): Promise<Plan> {
  checkFolder(request.cwd);
  checkFreeze(request, chosen);
  await checkMetricPatterns(chosen);
  await settleRuns(desk, isAtOrNamed(findAddressOf(chosen), request.name));
  sweepPlans(desk);
  chooseName(desk, request, as); // refused before anything is asked of the host
  const target = makeTarget(desk, findAddressOf(chosen), chosen.settings);
  const wanted = { id: makePlanId(), request, chosen, target, asksNode, variables, isAgent, as };
  try {
    return keepPlan(desk, wanted, await lookAround(desk, wanted));
  } catch (fault) {
    removePlan(desk, wanted.id); // a plan that nobody can confirm leaves nothing
    throw fault;
  }
}

export function checkFolder(path: string): void {
  let reason: string;
  try {
    if (statSync(path).isDirectory()) return;
    reason = "it is not a folder";
  } catch (fault) {
    reason = describeFault(fault);
  }
  throw new SortieError("folder_missing", { path, reason });
}

export function chooseName(
  desk: Desk,
  request: RunRequest,
  as: Pick<RunRecord, "name"> | null = null,
): string {
  if (as !== null) return as.name;
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

/** On this machine a run starts in the folder itself: there is nothing that is sent. */
function checkFreeze({ freeze }: RunRequest, { ssh, settings }: ChosenTarget): void {
  if (!freeze || ssh !== null) return;
  const source = settings.freeze.value ? settings.freeze.source.text : "--freeze";
  throw new SortieError("freeze_local", { source });
}

/** What the folder, its environment and the host have. */
async function lookAround(desk: Desk, wanted: Wanted) {
  const { id, target, chosen, asksNode, request: wished } = wanted;
  const { data = [], checkpoints = [] } = chosen.section;
  const place = findRunPlace(desk, wished, chosen);
  const contract = await findContract(desk, chosen, wished.environment ?? null);
  const ownFiles = [...findOwnFiles(), ...(contract ? [contract.ledger.path] : [])];
  const planner = await openPlanner(desk, wanted);
  const isBuilt = contract?.owner === "sortie";
  const asked = target.preflight({
    ...{ ...place, command: wished.command, gpus: wantsGpus(wished) },
    environment: isBuilt ? null : chooseEnvironment(chosen.section, { cwd: place.folder, home: place.home }),
    contract: contract && makeContractQuestion(contract, { asksCards: wantsGpus(wished) }),
    wandb: planner?.question ?? null,
    inputs: [...data, ...checkpoints],
    ...{ asksGit: chosen.settings.codeSync === "git", asksNode },
  });
  const spec = isBuilt ? contract.loaded.spec : null;
  const wish = { id, request: wished, chosen, ownFiles, planner, spec };
  const { preflight, code, sync, request, wandb } = await draftCode(desk, wish, asked);
  const { gpus: report, missing, jobDir } = preflight;
  refuseMissing(chosen, missing);
  const host = nameHost(desk, target);
  const remote = sync && (await planRemoteFor(desk, { request, chosen, host }, preflight, sync));
  const gpus = chooseForRun(desk, request, report, host);
  const planned = contract && planForRun(contract, { request, chosen, preflight, remote, gpus });
  return {
    environment: planned?.environment ?? (preflight.environment as CheckedEnvironment),
    contract: planned?.terms ?? null,
    ...{ code, ownFiles, inputs: data, jobDir, host, remote, gpus, sync, preflight, request, wandb },
    sectionNotes: [
      ...listSectionNotes(chosen, missing),
      ...(contract?.warnings ?? []),
      ...(wandb?.notes ?? []),
      ...(chosen.wandb !== null && wanted.isAgent ? ["wandb: agents do not log to W&B"] : []),
    ],
  };
}

/** Where runs do not log to W&B nothing of it is loaded. */
async function openPlanner(desk: Desk, wanted: Pick<Wanted, "request" | "chosen" | "variables" | "isAgent">) {
  if (wanted.chosen.wandb === null || wanted.isAgent) return null;
  return (await import("./wandb/plan-wandb.ts")).openWandbPlanner(desk, wanted);
}

function planRemoteFor(
  desk: Desk,
  { request, chosen, host }: { request: RunRequest; chosen: ChosenTarget; host: string },
  preflight: Preflight,
  sync: SyncDraft,
): Promise<RemoteTerms> {
  // While a run waits in line the code goes on changing: it starts in the copy that was made when it was asked for.
  const freeze = request.freeze === true || request.waitGpuS !== null;
  const address = chosen.ssh as SshHost;
  const codeDir = findRemoteCodeDir(chosen.section);
  return planRemote(desk, { address, host, codeDir, freeze, sync: findSyncWish(chosen) }, preflight, sync);
}

function refuseMissing({ section: { name, data = [] } }: ChosenTarget, missing: readonly string[]): void {
  const gone = data.filter((path) => missing.includes(path));
  if (gone.length > 0) throw new SortieError("input_missing", { target: name, missing: gone.join(", ") });
}

/** @param report null: the run wants none */
function chooseForRun(desk: Desk, request: RunRequest, report: GpuReport | null, host: string): GpusOfRun {
  if (report === null) {
    return { choice: { gpus: [], candidates: [], why: "none: hidden from the run, as asked" }, busy: null };
  }
  try {
    const { gpus: count, gpu } = request;
    return { choice: chooseGpus(reserveForWaiting(desk, report, host), { count, gpu }), busy: null };
  } catch (fault) {
    const mayWait = fault instanceof SortieError && fault.code === "gpus_busy" && request.waitGpuS !== null;
    if (mayWait) return { choice: null, busy: fault.message };
    throw fault;
  }
}

function keepPlan(
  desk: Desk,
  { id, chosen, target, variables, as }: Wanted,
  seen: Awaited<ReturnType<typeof lookAround>>,
): Plan {
  const { request, wandb } = seen;
  // Of two plans made in the same second each gets a name of its own.
  const plan = desk.store.together(() => {
    const name = chooseName(desk, request, as);
    const expected = estimateDuration(desk, request);
    const found = { ...seen, chosen, name, expected, wandb: wandb?.makeTerms(name) ?? null };
    const terms = makeTerms(found);
    const notes = [
      ...seen.sectionNotes,
      ...describeRemoteNotes(terms.remote, seen.preflight.server, listLiveRuns(desk.store)),
      ...makeNotes({ terms, variables, gpus: seen.gpus, visibleGpus: desk.env["CUDA_VISIBLE_DEVICES"] }),
    ];
    return savePlan(desk, { id, terms, restsOn: makePredicates(terms, found), notes });
  });
  if (seen.sync?.kind === "rsync") saveSend(desk, id, seen.sync.send);
  if (target.kind !== "local") desk.preflights.set(id, seen.preflight);
  if (wandb?.rewrite) keepFile(desk, id, "script", wandb.rewrite.bytes);
  saveVariables(desk, id, { ...variables, ...wandb?.secrets }); // not before the plan is on record: who sweeps it away takes them with it
  return plan;
}

function removePlan(desk: Desk, id: string): void {
  rmSync(findPlanFolder(desk, id), { recursive: true, force: true });
  desk.store.change("DELETE FROM plans WHERE id = ? AND run_id IS NULL", id);
}
