import type { CheckedEnvironment } from "../env/check-environment.ts";
import { makeGpuPredicates } from "../gpus/check-gpus.ts";
import type { RunRequest } from "../runs/run-record.ts";
import type { Provenance } from "../sync/provenance.ts";
import type { ChosenTarget } from "./choose-target.ts";
import type { ContractTerms } from "./environment/contract-terms.ts";
import type { ModalTerms } from "./modal/modal-terms.ts";
import type { GpusOfRun, PlanTerms, Predicate, RemoteTerms } from "./plan.ts";
import { makeSideEffects } from "./plan-words.ts";
import type { ChosenInstance } from "./rent/find-instance.ts";
import type { WandbTerms } from "./wandb/wandb-terms.ts";

/** What was found out for a plan. */
export interface Found {
  readonly name: string;
  readonly request: RunRequest;
  readonly chosen: ChosenTarget;
  /** As records name it. */
  readonly host: string;
  readonly jobDir: string;
  readonly environment: CheckedEnvironment;
  /** null: it is under no contract. */
  readonly contract: ContractTerms | null;
  readonly remote: RemoteTerms | null;
  readonly wandb: WandbTerms | null;
  /** Absent: it runs on a machine. */
  readonly modal?: ModalTerms;
  readonly code: Provenance;
  readonly ownFiles: readonly string[];
  readonly gpus: GpusOfRun;
  readonly expected: PlanTerms["expected"];
  /** The data that must be there. */
  readonly inputs: readonly string[];
}

/** The terms of a plan from what was found. */
export function makeTerms(found: Found): PlanTerms {
  const {
    name,
    request,
    chosen,
    host,
    jobDir,
    environment,
    code,
    ownFiles,
    gpus,
    expected,
    remote,
    contract,
    wandb,
    modal,
  } = found;
  const first = gpus.choice?.gpus[0];
  const { activation, python, interpreter } = environment;
  const { label, lines, shell } = activation;
  const terms = {
    name,
    target: { name: chosen.section.name, kind: chosen.section.kind, host },
    ...{ request, remote },
    ...(chosen.instance && { instance: chosen.instance }),
    environment: { label, lines, shell, python, interpreter, contract },
    gpus: {
      count: countGpus(request, gpus),
      model: first?.name ?? null,
      memoryTotalMiB: first?.memoryTotalMiB ?? null,
      freeMemoryMiB: chosen.settings.freeMemoryMiB,
      preferred: gpus.choice?.gpus.flatMap((gpu) => gpu.uuid ?? []) ?? [],
      why: gpus.choice?.why ?? gpus.busy ?? "",
    },
    ...(wandb && { wandb }),
    ...(modal && { modal }),
    code,
    ownFiles,
    jobDir,
    expected,
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

/** What must still hold when these terms are confirmed. */
export function makePredicates(terms: PlanTerms, { chosen, gpus: { choice }, inputs }: Found): Predicate[] {
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
    ...(environment.contract ? [makeContractPredicate(environment.contract)] : []),
    ...(inputs.length > 0 ? [{ kind: "inputs" as const, paths: inputs }] : []),
    ...(terms.instance ? [makeInstancePredicate(terms.instance)] : []),
    { kind: "name", name: terms.name },
  ];
}

function makeInstancePredicate({ number, dollarsPerHour }: ChosenInstance): Predicate {
  return { kind: "instance", number, dollarsPerHour };
}

function makeContractPredicate({ name, hash }: ContractTerms): Predicate {
  return { kind: "environment", name, hash };
}
