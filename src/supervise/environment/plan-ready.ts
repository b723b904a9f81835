import { SortieError } from "../../base/error.ts";
import type { Activation } from "../../env/activation.ts";
import type { Tier } from "../../env/tiers/tier-record.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import { type ActionPlan, type Condition, saveAction } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { findSyncWish } from "../draft-code.ts";
import { findRemoteCodeDir } from "../find-run-place.ts";
import type { RemoteTerms } from "../plan.ts";
import { describeSync } from "../remote/describe-remote.ts";
import { draftSync } from "../remote/draft-sync.ts";
import { planRemote } from "../remote/plan-remote.ts";
import { saveSend } from "../remote/sent-files.ts";
import { type ContractTerms, nameContract } from "./contract-terms.ts";
import { listContractEffects } from "./describe-contract.ts";
import { hideValues } from "./hide-values.ts";
import type { EnvironmentSight } from "./look-at-environment.ts";
import { findProjectOnHost, planContract } from "./plan-contract.ts";

/** Everything that is done to make an environment ready, where no run is started. */
export interface ReadyTerms {
  readonly contract: ContractTerms;
  /** As records name it. */
  readonly host: string;
  readonly kind: string;
  readonly jobDir: string;
  /** How the project gets there, where it is not here. */
  readonly remote: RemoteTerms | null;
  readonly own: { readonly activation: Activation; readonly python: string | null } | null;
  readonly candidates: readonly string[] | null;
  readonly tiers: readonly Tier[];
  readonly again: boolean;
  /** A fresh assistant that follows the document, too, word by word; null: none does. */
  readonly agent: readonly string[] | null;
  readonly documentTimeoutMs: number | null;
  readonly results: readonly string[];
}

export interface ReadyRequest {
  readonly action: "env build" | "env verify";
  readonly candidates: readonly string[] | null;
  readonly tiers: readonly Tier[];
  readonly again: boolean;
  readonly agent: readonly string[] | null;
  readonly documentTimeoutMs: number | null;
}

/** The specification is what it was, and so are the requirement files that it names. */
export interface SpecCondition extends Condition {
  readonly kind: "spec";
  readonly file: string;
  readonly hash: string;
  /** Of what those files require; null: it names none. */
  readonly required: string | null;
}

/** What has to be done, as a plan; null: nothing. @throws witness_insufficient, and what the project or host is in the way with */
export async function planReady(
  desk: Desk,
  sight: EnvironmentSight,
  request: ReadyRequest,
): Promise<ActionPlan<ReadyTerms, SpecCondition> | null> {
  const { action, candidates, tiers, again, agent, documentTimeoutMs } = request;
  const { chosen, contract, preflight, host, target } = sight;
  const { remote, sync } = await planCode(desk, sight);
  const { projectFolder, settings } = chosen;
  const planned = planContract(contract, {
    ...{
      status: sight.status,
      checked: preflight.environment,
      uuids: candidates,
      isUnverified: false,
      given: [],
    },
    project: remote ? findProjectOnHost(remote.folder, { cwd: projectFolder, projectFolder }) : projectFolder,
    projectFolder,
    isLenient: !tiers.includes(2),
  });
  const all = { ...planned.terms, due: again ? planned.everything : planned.terms.due };
  const terms = { ...all, due: all.due.filter(({ tier }) => tiers.includes(tier)) };
  const isThere = terms.action === "reuse" || terms.action === "check";
  if (isThere && terms.due.length === 0 && agent === null) return null;
  refuseAgent(agent, terms);
  const { activation, python } = planned.environment;
  const plan = saveAction<ReadyTerms, SpecCondition>(desk, {
    action,
    terms: {
      ...{ contract: terms, host, kind: target.kind, jobDir: preflight.jobDir, remote },
      own: contract.owner === "person" ? { activation, python: python?.path ?? null } : null,
      ...{ candidates, tiers, again, agent, documentTimeoutMs, results: settings.results },
    },
    restsOn: [{ kind: "spec", file: terms.specFile, hash: terms.hash, required: contract.required }],
    notes: contract.warnings,
    sideEffects: [
      ...(remote ? describeSync(remote, host) : []),
      ...listContractEffects(terms, host),
      ...(agent
        ? [
            `start ${agent.join(" ")} here, which is given the document and follows it; the ledger tells what it reports`,
          ]
        : []),
    ],
    look: `sortie env check ${contract.name}`,
  });
  if (sync?.kind === "rsync") saveSend(desk, plan.id, sync.send);
  return plan;
}

/** The plan as it may be printed. */
export function makeReadyDocument<Plan extends ActionPlan<ReadyTerms>>(plan: Plan): Plan {
  return { ...plan, terms: { ...plan.terms, contract: hideValues(plan.terms.contract) } };
}

/** The project gets to another host as before a run: what is built, and what is documented, may need it. */
async function planCode(desk: Desk, { chosen, preflight, host }: EnvironmentSight) {
  if (chosen.ssh === null) return { remote: null, sync: null };
  const wish = findSyncWish(chosen);
  const { results } = chosen.settings;
  const sync = await draftSync(desk, { cwd: chosen.projectFolder, results, envFiles: [] }, wish);
  const address: SshHost = chosen.ssh;
  const codeDir = findRemoteCodeDir(chosen.section);
  const remote = await planRemote(
    desk,
    { address, host, codeDir, freeze: false, sync: wish },
    preflight,
    sync,
  );
  return { remote, sync };
}

function refuseAgent(agent: readonly string[] | null, terms: ContractTerms): void {
  if (agent === null || terms.document.hash !== null) return;
  throw new SortieError("document_missing", { environment: nameContract(terms), ledger: terms.ledger });
}
