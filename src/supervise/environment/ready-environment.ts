import { SortieError } from "../../base/error.ts";
import type { Activation } from "../../env/activation.ts";
import { ensureBuilt } from "../../env/build/ensure-built.ts";
import type { EnvironmentStatus, ReadyEnvironment } from "../../env/build/environment-status.ts";
import type { BuildProgress } from "../../env/build/follow-build.ts";
import { loadStatus } from "../../env/build/load-status.ts";
import type { EnvHost } from "../../env/env-host.ts";
import type { Card } from "../../env/key-of-trust.ts";
import type { DueTier } from "../../env/tiers/judge-trust.ts";
import type { Tier, TierRecord } from "../../env/tiers/tier-record.ts";
import type { Desk } from "../desk.ts";
import type { ContractTerms } from "./contract-terms.ts";
import { enterBuilt } from "./enter-environment.ts";
import { explainBuild, explainTier } from "./explain-failure.ts";
import { loadHow } from "./load-how.ts";
import {
  chooseCards,
  type EnvironmentPlace,
  findPlace,
  judgeContract,
  listEverything,
} from "./plan-contract.ts";
import { saveToLedger } from "./save-to-ledger.ts";
import { type SpareCard, type TierNews, tryDue } from "./try-due.ts";
import type { TierShown, Trial } from "./try-tiers.ts";

/** What is told while an environment is made ready. */
export type EnvironmentNews =
  | { readonly kind: "building" }
  | { readonly kind: "build"; readonly progress: BuildProgress }
  | { readonly kind: "broken"; readonly lines: readonly string[] }
  | { readonly kind: "built"; readonly ready: ReadyEnvironment }
  | TierNews;

export interface ReadyWish {
  readonly contract: ContractTerms;
  /** Of the run that is to start in it; absent: none is. */
  readonly runName?: string;
  readonly host: EnvHost;
  /** How a person's own is entered, with the variables of the specification, and its Python; null: Sortie's. */
  readonly own: { readonly activation: Activation; readonly python: string | null } | null;
  /** UUIDs of the GPUs that a run may take, the first choice first; null: none. */
  readonly candidates: readonly string[] | null;
  /** Of so many of them it is to be trusted. */
  readonly count: number;
  /** The tiers that may be tried. */
  readonly tiers: readonly Tier[];
  /** They are tried though they have passed. */
  readonly again?: boolean;
  readonly given: readonly string[];
  /** What the host has of it, where that was asked a moment ago; null or absent: it is asked. */
  readonly status?: EnvironmentStatus | null;
  readonly codeFiles: () => Promise<Uint8Array | null>;
  readonly documentTimeoutMs?: number;
}

export interface ReadyOptions {
  readonly onNews?: ((news: EnvironmentNews) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Readied {
  readonly activation: Activation;
  readonly place: EnvironmentPlace;
  /** Tiers that are still due: those that were not to be tried. */
  readonly due: readonly DueTier[];
  readonly shown: readonly TierShown[];
  /** All of its host for this specification, the oldest first. */
  readonly records: readonly TierRecord[];
  /** The GPUs on which it is trusted, of the candidates. */
  readonly trusted: readonly string[];
}

const DOCUMENT_TIMEOUT_MS = 30 * 60_000;

/**
 * An environment as its plan says: it is built where it is not there, what is due is tried, and the ledger tells of it.
 * @throws environment_build_failed, environment_unverified, witness_insufficient, gpu_taken, and what the host throws
 */
export async function readyEnvironment(
  desk: Desk,
  wish: ReadyWish,
  options: ReadyOptions = {},
): Promise<Readied> {
  const { contract, host, own, candidates, count, tiers, again = false } = wish;
  const { status, ready } = await ensureThere(wish, options);
  const place = findPlace(contract, { status });
  if (place === null) throw explainGone(wish);
  const entry = { spec: contract.spec, project: contract.project, given: wish.given };
  const activation = own?.activation ?? enterBuilt(ready as ReadyEnvironment, entry);
  const cards = chooseCards(status, candidates?.slice(0, count) ?? null);
  const document = contract.document.hash;
  const trust = judgeContract({ ...contract, document }, { status, place, cards });
  const due = again ? listEverything(cards, document) : trust.due;
  const trial: Trial = {
    ...{ host, contract, place, activation, card: cards?.[0] ?? null, threads: status.cpus },
    codeFiles: due.some(({ tier }) => tier === 3 && tiers.includes(3)) ? await wish.codeFiles() : null,
    documentTimeoutMs: wish.documentTimeoutMs ?? DOCUMENT_TIMEOUT_MS,
    signal: options.signal,
  };
  const records = [...status.records];
  const wanted = due.filter(({ tier }) => tiers.includes(tier));
  const spare = listSpare(wish, { status, place });
  const shown = await tryDue(desk, trial, { due: wanted, spare, records, onNews: options.onNews }).finally(
    () => tellLedger(desk, { contract, place, records }, options),
  );
  const last = shown.at(-1);
  if (last?.state === "failed") throw explainTier(last, contract);
  if (last?.state === "taken") throw explainTaken(last, wish);
  const left = trust.due.filter(({ tier }) => !tiers.includes(tier));
  const question = { status: { ...status, records }, place };
  return { activation, place, shown, records, due: left, trusted: listTrusted(wish, question) };
}

interface Seen {
  readonly status: EnvironmentStatus;
  readonly place: EnvironmentPlace;
}

/** The GPUs that a run may take instead of its first choice. */
function listSpare({ contract, candidates, count }: ReadyWish, seen: Seen): SpareCard[] {
  const cards = chooseCards(seen.status, candidates?.slice(count) ?? null) ?? [];
  return cards.map((card) => ({ card, due: findWitnessDue(contract, seen, card) }));
}

function listTrusted({ contract, candidates }: ReadyWish, seen: Seen): string[] {
  const cards = chooseCards(seen.status, candidates) ?? [];
  return cards.flatMap((card) => (findWitnessDue(contract, seen, card) === null ? [card.uuid] : []));
}

/** null: it has passed on this card. */
function findWitnessDue(contract: ContractTerms, { status, place }: Seen, card: Card): DueTier | null {
  const { due } = judgeContract({ ...contract, document: null }, { status, place, cards: [card] });
  return due.find(({ tier }) => tier === 2) ?? null;
}

/** What its host has of it, once it is there. */
async function ensureThere(
  wish: ReadyWish,
  { onNews, signal }: ReadyOptions,
): Promise<{ status: EnvironmentStatus; ready: ReadyEnvironment | null }> {
  const { contract, host } = wish;
  const status = await findStatus(wish);
  if (contract.owner === "person") return { status, ready: null };
  const { ready, pointer } = status;
  const isFit = ready !== null && ready.inputs === contract.inputs && ready.prefix === pointer?.prefix;
  if (isFit) return { status, ready };
  try {
    // Before anything of it exists: whoever calls it off from now on must end it.
    onNews?.({ kind: "building" });
    const onProgress = (progress: BuildProgress) => onNews?.({ kind: "build", progress });
    const built = await ensureBuilt(host, { ...contract, ...contract.build }, { onProgress, signal });
    onNews?.({ kind: "built", ready: built });
    return { status: { ...status, ready: built }, ready: built };
  } catch (fault) {
    if (isBroken(fault)) onNews?.({ kind: "broken", lines: fault.details["tail"] as string[] });
    throw explainBuild(fault, contract);
  }
}

async function findStatus({ contract, host, own, candidates, status = null }: ReadyWish) {
  const asksCards = candidates !== null;
  if (status !== null && (status.cards !== null || !asksCards)) return status;
  const { envsDir, name, hash, inputs } = contract;
  return loadStatus(host, { envsDir, name, hash, inputs, asksCards, own: own?.python ?? null });
}

function isBroken(fault: unknown): fault is SortieError {
  return fault instanceof SortieError && fault.code === "environment_build_failed";
}

async function tellLedger(
  desk: Desk,
  facts: {
    contract: ContractTerms;
    place: EnvironmentPlace;
    records: readonly TierRecord[];
  },
  { onNews }: ReadyOptions,
): Promise<void> {
  const hasHow = loadHow(facts.contract) !== null;
  const fault = await saveToLedger(desk, { ...facts, hasHow });
  if (fault !== null) onNews?.({ kind: "warning", text: fault });
}

function explainGone({ contract, host }: ReadyWish): SortieError {
  const { name, owner } = contract;
  return new SortieError("environment_missing", {
    environment: name,
    reason: owner === "person" ? `its Python was not found on ${host.name}` : `it is gone from ${host.name}`,
    advice: "Look with `sortie env check`, then try again.",
  });
}

function explainTaken({ message, card }: TierShown, { contract, runName }: ReadyWish): SortieError {
  const run = runName ?? `that checks ${contract.name}`;
  return new SortieError("gpu_taken", { run, held: card?.uuid ?? message });
}
