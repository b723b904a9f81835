import { describeFault } from "../../base/error.ts";
import { saveBlock } from "../../env/ledger/save-block.ts";
import type { TierRecord } from "../../env/tiers/tier-record.ts";
import type { Desk } from "../desk.ts";
import type { ContractTerms } from "./contract-terms.ts";
import type { EnvironmentPlace } from "./plan-contract.ts";

/** What is true of an environment now. */
export interface LedgerFacts {
  readonly contract: ContractTerms;
  readonly place: EnvironmentPlace;
  /** Of this environment, the oldest first. */
  readonly records: readonly TierRecord[];
  /** A person has said so already. */
  readonly hasHow: boolean;
}

/** Writes an environment's block; what keeps it from being written is no reason to stop, and is told. */
export async function saveToLedger(desk: Pick<Desk, "clock">, facts: LedgerFacts): Promise<string | null> {
  const { contract, hasHow } = facts;
  const { name, hash, ledger, how } = contract;
  try {
    await saveBlock(
      ledger,
      { name, hash, how: hasHow ? null : how, ...describeTrust(facts), weights: describeWeights(contract) },
      { clock: desk.clock },
    );
    return null;
  } catch (fault) {
    return `the ledger was not written: ${describeFault(fault)}`;
  }
}

/** The newest try of each tier: what has passed, what has failed, what was never tried. */
function describeTrust({ contract, place, records }: LedgerFacts) {
  const own = records.filter(({ environment }) => environment === place.environment);
  const find = (tier: number) => own.findLast((record) => record.tier === tier);
  const [imports, witness, document] = [find(1), find(2), find(3)];
  const parts = [
    `1 import ${describeTry(imports)}`,
    `2 witness ${describeTry(witness)}`,
    contract.document.hash === null ? "3 document none" : `3 document ${describeTry(document)}`,
  ];
  const last = own.findLast(({ passed }) => passed);
  return { tier: parts.join("; "), validated: last ? describeMoment(last, witness) : null };
}

function describeTry(record: TierRecord | undefined): string {
  if (record === undefined) return "not tried";
  return record.passed ? `passed (${record.message})` : `failed (${record.message})`;
}

function describeMoment({ at, interpreter }: TierRecord, witness: TierRecord | undefined): string {
  const { card, cuda, library } = witness?.passed ? witness : { card: null, cuda: null, library: null };
  return [
    at.slice(0, 16).replace("T", " ").concat(" UTC"),
    `Python ${interpreter.version ?? "unknown"}`,
    ...(library ? [library] : []),
    ...(card ? [`${card.model} (${card.uuid})`, `driver ${card.driver}`] : []),
    ...(cuda ? [`CUDA ${cuda}`] : []),
  ].join(", ");
}

function describeWeights({ spec }: ContractTerms): string | null {
  const places = spec.weightDirs.map(({ path, source, gated }) =>
    [path, ...(source ? [`from ${source}`] : []), ...(gated ? ["(gated)"] : [])].join(" "),
  );
  return places.length === 0 ? null : places.join("; ");
}
