import { SortieError } from "../../base/error.ts";
import type { EnvironmentStatus } from "../../env/build/environment-status.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import type { Preflight } from "../../targets/target.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { GpusOfRun, Plan, RemoteTerms } from "../plan.ts";
import { type ContractTerms, nameContract } from "./contract-terms.ts";
import type { Contract } from "./find-contract.ts";
import {
  chooseCards,
  findPlace,
  findProjectOnHost,
  judgeContract,
  type PlannedContract,
  planContract,
} from "./plan-contract.ts";

export interface RunUse {
  readonly request: RunRequest;
  readonly chosen: ChosenTarget;
  readonly preflight: Preflight;
  readonly remote: RemoteTerms | null;
  readonly gpus: GpusOfRun;
}

/** What a run's plan does with its environment. @throws witness_insufficient, environment_due */
export function planForRun(
  contract: Contract,
  { request, chosen, preflight, remote, gpus }: RunUse,
): PlannedContract {
  const { projectFolder } = chosen;
  const planned = planContract(contract, {
    status: preflight.contract as EnvironmentStatus,
    checked: preflight.environment,
    uuids: gpus.choice ? gpus.choice.gpus.flatMap(({ uuid }) => uuid ?? []) : null,
    isUnverified: request.unverified ?? false,
    given: request.envNames,
    project: remote ? findProjectOnHost(remote.folder, { cwd: request.cwd, projectFolder }) : projectFolder,
    projectFolder,
  });
  // Nobody looks on when the watcher starts it, and what is documented may take long.
  const document = planned.terms.due.find(({ tier }) => tier === 3);
  if (gpus.busy !== null && document) refuseDue(planned.terms, document.why);
  return planned;
}

function refuseDue(terms: ContractTerms, why: string): never {
  throw new SortieError("environment_due", {
    environment: nameContract(terms),
    reason: `what its document says must be tried first (${why}), and that is not done for a run that waits in line`,
  });
}

/** What an environment needs now beyond what a plan says, a clause for people; null: nothing. */
export function checkContract(
  { terms }: Plan,
  status: EnvironmentStatus | null,
  candidates: readonly string[],
): string | null {
  const { contract = null } = terms.environment;
  if (contract === null || status === null) return null;
  const name = nameContract(contract);
  const place = findPlace(contract, { status });
  if (contract.action === "reuse" && place === null) return `the environment ${name} is not there any more`;
  if (contract.isUnverified || place === null) return null;
  const count = typeof terms.gpus.count === "number" ? terms.gpus.count : 0;
  const cards = count === 0 ? null : chooseCards(status, candidates.slice(0, count));
  const { due } = judgeContract({ ...contract, document: contract.document.hash }, { status, place, cards });
  const more = due.filter(({ tier }) => !contract.due.some((known) => known.tier === tier));
  if (more.length === 0) return null;
  return `the environment ${name} has more to show now: ${more.map(({ tier, why }) => `tier ${tier}: ${why}`).join("; ")}`;
}
