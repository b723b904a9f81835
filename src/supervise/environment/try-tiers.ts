import { SortieError } from "../../base/error.ts";
import { quoteShell } from "../../base/quote.ts";
import { makeSettings } from "../../base/script.ts";
import type { Activation } from "../../env/activation.ts";
import { appendRecords } from "../../env/build/records.ts";
import { followDocument } from "../../env/document/follow-document.ts";
import { type Divergence, describeDivergences } from "../../env/document/list-divergences.ts";
import type { EnvHost } from "../../env/env-host.ts";
import type { Card } from "../../env/key-of-trust.ts";
import { checkImports } from "../../env/tiers/check-imports.ts";
import type { DueTier } from "../../env/tiers/judge-trust.ts";
import { makeTierRecord } from "../../env/tiers/make-tier-record.ts";
import { runTierTwo } from "../../env/tiers/run-tier-two.ts";
import type { TierRecord } from "../../env/tiers/tier-record.ts";
import leaseFunctions from "../../gpus/lease.sh";
import type { Desk } from "../desk.ts";
import { type ContractTerms, nameContract } from "./contract-terms.ts";
import type { EnvironmentPlace } from "./plan-contract.ts";

/** An environment that is there, as its tiers are tried. */
export interface Trial {
  readonly host: EnvHost;
  readonly contract: ContractTerms;
  readonly place: EnvironmentPlace;
  readonly activation: Activation;
  /** Paths of the project that are its code, each with a zero byte behind it; null: all of it. */
  readonly codeFiles: Uint8Array | null;
  /** The first GPU, which a documented command is given; null: none. */
  readonly card: Card | null;
  /** CPUs that it may use. */
  readonly threads: number;
  readonly documentTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What one try has shown. */
export interface TierShown {
  readonly tier: DueTier["tier"];
  readonly card: Card | null;
  /** `taken`: another holds the GPU, and nothing was shown. */
  readonly state: "passed" | "failed" | "taken";
  readonly message: string;
  /** The end of what was printed. */
  readonly output: string;
  readonly divergences: readonly Divergence[];
  /** Of a witness: how it ended, 128 and more by a signal; null or absent: not known. */
  readonly exitCode?: number | null;
}

/** What a check imports leaves no bytecode beside it: neither an environment nor a project is changed by looking at it. */
const NO_TRACES = { PYTHONDONTWRITEBYTECODE: "1" };
const TAKEN = "sortie: another holds the GPU";

/**
 * Tries one tier and keeps on its host what it has shown. `unkept`: why that could not be, as in a folder that others own;
 * it is true all the same, and is tried again the next time. @throws what the host throws, document_unfollowed
 */
export async function tryTier(
  desk: Pick<Desk, "clock">,
  trial: Trial,
  due: Pick<DueTier, "tier" | "card">,
): Promise<{ shown: TierShown; record: TierRecord | null; unkept: string | null }> {
  const { library = null, cuda = null, ...shown } = await tryOne(trial, due);
  if (shown.state === "taken") return { shown, record: null, unkept: null };
  const { contract, place } = trial;
  const record = makeTierRecord({
    ...{ tier: due.tier, passed: shown.state === "passed", message: shown.message, at: desk.clock.now() },
    ...{ ...place, card: due.card, library, cuda, document: contract.document.hash },
  });
  return { shown, record, unkept: await keepRecord(trial, record) };
}

/** null: it is kept. @throws what keeps the host from answering */
export async function keepRecord(
  { host, contract }: Pick<Trial, "host" | "contract">,
  record: TierRecord,
): Promise<string | null> {
  try {
    await appendRecords(host, contract, [record]);
    return null;
  } catch (fault) {
    if (fault instanceof SortieError && fault.code === "environment_unbuildable")
      return String(fault.details["reason"]);
    throw fault;
  }
}

type Tried = TierShown & { readonly library?: string | null; readonly cuda?: string | null };

async function tryOne(trial: Trial, due: Pick<DueTier, "tier" | "card">): Promise<Tried> {
  const { host, contract, place, activation, threads, signal } = trial;
  const { spec, requirements, project } = contract;
  const inside = {
    ...{
      enter: activation,
      python: place.interpreter.path,
      folder: project,
      variables: NO_TRACES,
      spec,
      signal,
    },
  };
  const about = { tier: due.tier, card: due.card, divergences: [] };
  switch (due.tier) {
    case 1:
      return { ...(await checkImports(host, inside)), ...about };
    case 2: {
      const lease = due.card ? makeLease(contract, due.card) : undefined;
      return {
        ...(await runTierTwo(host, { ...inside, requirements, card: due.card, lease, threads })),
        ...about,
      };
    }
    case 3:
      return tryDocument(trial);
  }
}

/** It sees the GPU that a run would have, and none else. */
async function tryDocument(trial: Trial): Promise<Tried> {
  const { host, contract, activation, codeFiles, card, documentTimeoutMs, signal } = trial;
  const lines = [
    ...(card ? [makeLease(contract, card)] : []),
    ...activation.lines,
    ...(contract.owner === "person" ? ["export PYTHONDONTWRITEBYTECODE=1"] : []),
    `export CUDA_VISIBLE_DEVICES=${quoteShell(card?.uuid ?? "")}`,
  ];
  const { passed, divergences, tail } = await followDocument(host, {
    ...{ commands: contract.document.commands, enter: { lines, shell: activation.shell } },
    code: { folder: contract.project, files: codeFiles },
    timeoutMs: documentTimeoutMs,
    ...(signal && { signal }),
  });
  const state = passed ? "passed" : tail.includes(TAKEN) ? "taken" : "failed";
  const message = passed
    ? "the documented command does what its document says"
    : describeDivergences(divergences);
  return { tier: 3, card: null, state, message, output: tail, divergences };
}

/** Takes the lease of a GPU as a run does; what it starts inherits it. */
function makeLease(contract: ContractTerms, { uuid }: Card): string {
  const settings = makeSettings({ sortie_run_id: `check of ${nameContract(contract)}` });
  return [
    settings,
    leaseFunctions,
    `lease_take 9 ${quoteShell(uuid)} || { echo ${quoteShell(TAKEN)} >&2; exit 75; }`,
  ].join("\n");
}
