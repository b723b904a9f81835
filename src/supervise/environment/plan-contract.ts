import { relative } from "node:path";
import { join as joinPosix } from "node:path/posix";
import { SortieError } from "../../base/error.ts";
import type { EnvironmentStatus } from "../../env/build/environment-status.ts";
import type { CheckedEnvironment } from "../../env/check-environment.ts";
import type { Card, Interpreter } from "../../env/key-of-trust.ts";
import { listRequirementFiles } from "../../env/render/requirement-files.ts";
import type { EnvSpec } from "../../env/spec/env-spec.ts";
import { type DueTier, judgeTrust, type Trust } from "../../env/tiers/judge-trust.ts";
import { type ContractTerms, nameContract } from "./contract-terms.ts";
import { enterBuilt, enterOwn } from "./enter-environment.ts";
import type { Contract } from "./find-contract.ts";

/** What a run wants of its environment. */
export interface ContractUse {
  readonly status: EnvironmentStatus;
  /** What was found where the environment is a person's own; null: Sortie's. */
  readonly checked: CheckedEnvironment | null;
  /** UUIDs of the GPUs that it would take first; null: it takes none. */
  readonly uuids: readonly string[] | null;
  readonly isUnverified: boolean;
  /** Names of the variables that a person gives. */
  readonly given: readonly string[];
  readonly project: string;
  readonly projectFolder: string;
  /** No witness is asked for: what it could not show is no fault. */
  readonly isLenient?: boolean;
}

export interface PlannedContract {
  readonly terms: ContractTerms;
  /** All tiers, also those that have passed. */
  readonly everything: ContractTerms["due"];
  /** As a run enters it; of one that is not built yet its name alone. */
  readonly environment: CheckedEnvironment;
}

/** What has to be done before an environment can be trusted with a run. @throws witness_insufficient */
export function planContract(contract: Contract, use: ContractUse): PlannedContract {
  const { name, loaded, owner, inputs, requirements, envsDir, tool, ledger, how, document } = contract;
  const { status, isUnverified, project, projectFolder } = use;
  const place = findPlace(contract, use);
  const cards = chooseCards(status, use.uuids);
  const { spec, hash } = loaded;
  const trust = judgeContract({ spec, requirements, document: document.hash }, { status, place, cards });
  if (!isUnverified && !use.isLenient) refuseInsufficient({ name, hash }, trust);
  const terms: ContractTerms = {
    ...{ name, hash, owner, spec, specFile: loaded.file, inputs, requirements, envsDir, how },
    ...explainAction(contract, status, place),
    ...{ due: isUnverified ? [] : trust.due.map(keepDue), isUnverified },
    prefix: owner === "sortie" ? (place?.environment ?? null) : null,
    ...{ project, projectFolder, build: { tool: tool.tool, python: tool.python }, ledger: ledger.path },
    document: { commands: document.commands, hash: document.hash },
  };
  const everything = listEverything(cards, document.hash);
  return { terms, everything, environment: makeEnvironment(contract, use, place) };
}

/** Every tier, whatever has passed. */
export function listEverything(cards: readonly Card[] | null, document: string | null): DueTier[] {
  const one = { why: "it is tried again, as asked", failed: null };
  const places = cards === null || cards.length === 0 ? [null] : cards;
  return [
    { tier: 1, card: null, ...one },
    ...places.map((card) => ({ tier: 2 as const, card, ...one })),
    ...(document === null ? [] : [{ tier: 3 as const, card: null, ...one }]),
  ];
}

/** Where an environment is, as its records name it, and with which Python; null: it is not built. */
export interface EnvironmentPlace {
  readonly environment: string;
  readonly interpreter: Interpreter;
}

/** Which tiers an environment has yet to pass; of one that is not built all of them. */
export function judgeContract(
  {
    spec,
    requirements,
    document,
  }: Pick<ContractTerms, "spec" | "requirements"> & { document: string | null },
  {
    status,
    place,
    cards,
  }: { status: EnvironmentStatus; place: EnvironmentPlace | null; cards: readonly Card[] | null },
): Trust {
  const { environment, interpreter } = place ?? NOT_BUILT;
  const records = place === null ? [] : status.records;
  return judgeTrust({ spec, requirements, records, environment, interpreter, cards, document });
}

const NOT_BUILT: EnvironmentPlace = {
  environment: "",
  interpreter: { path: "", version: null, packages: null },
};

/** The newest build that fits, where it is what its name stands for; a person's own as it was found. */
export function findPlace(
  { owner, inputs }: Pick<ContractTerms, "owner" | "inputs">,
  { status }: { status: EnvironmentStatus },
): EnvironmentPlace | null {
  if (owner === "person") return status.own && { environment: status.own.path, interpreter: status.own };
  const { ready } = status;
  if (ready === null || ready.inputs !== inputs) return null;
  return { environment: ready.prefix, interpreter: ready.interpreter };
}

/** The cards that a run would take, as the host knows them. null: it takes none. */
export function chooseCards(status: EnvironmentStatus, uuids: readonly string[] | null): Card[] | null {
  if (uuids === null) return null;
  const known = new Map((status.cards ?? []).map((card) => [card.uuid, card]));
  // A part of a card is in no list of cards.
  return uuids.map((uuid) => known.get(uuid) ?? { uuid, model: "unknown", driver: "unknown" });
}

/** @throws witness_insufficient */
function refuseInsufficient(contract: Pick<ContractTerms, "name" | "hash">, { missing }: Trust): void {
  if (missing === null) return;
  throw new SortieError("witness_insufficient", { environment: nameContract(contract), ...missing });
}

/** The project's folder on the host of a run that starts in `folder` there, and in `cwd` at home. */
export function findProjectOnHost(
  folder: string,
  { cwd, projectFolder }: { cwd: string; projectFolder: string },
): string {
  return joinPosix(folder, relative(cwd, projectFolder));
}

function keepDue({ tier, card, why }: DueTier): ContractTerms["due"][number] {
  return { tier, card, why };
}

function explainAction(
  { owner, loaded, inputs }: Contract,
  { pointer, ready, isBuilding }: EnvironmentStatus,
  place: EnvironmentPlace | null,
): Pick<ContractTerms, "action" | "why"> {
  if (owner === "person") return { action: "check", why: "it is your own: it is checked, and never changed" };
  if (place !== null && ready !== null)
    return { action: "reuse", why: `built ${ready.builtAt}, unchanged since` };
  if (isBuilding)
    return { action: "build", why: "somebody is building it right now; that build is waited for" };
  if (ready !== null && ready.inputs !== inputs)
    return { action: "rebuild", why: explainInputs(loaded.spec) };
  if (pointer !== null && pointer.hash !== loaded.hash) {
    return { action: "rebuild", why: `its specification has changed: it was ${pointer.hash}` };
  }
  if (pointer !== null)
    return { action: "rebuild", why: `what was built in ${pointer.prefix} does not run any more` };
  return { action: "build", why: "it is not there yet" };
}

/** Why a build of the same specification is not the one that is wanted. */
function explainInputs(spec: EnvSpec): string {
  return listRequirementFiles(spec).length > 0
    ? "its requirement files have changed"
    : "what was built holds the project of another folder";
}

function makeEnvironment(
  contract: Contract,
  { status, checked, project, given }: ContractUse,
  place: EnvironmentPlace | null,
): CheckedEnvironment {
  const { spec, hash } = contract.loaded;
  const terms = { spec, project, given };
  if (contract.owner === "person" && checked) {
    return { ...checked, activation: enterOwn(checked.activation, terms) };
  }
  if (place === null || status.ready === null) {
    const activation = {
      lines: [],
      shell: "sh" as const,
      label: nameContract({ name: contract.name, hash }),
    };
    return { activation, python: null, interpreter: null };
  }
  const { path, version } = status.ready.interpreter;
  return { activation: enterBuilt(status.ready, terms), python: { path, version }, interpreter: null };
}
