import { readFileSync } from "node:fs";
import { findBlock, type LedgerBlock, parseLedger } from "../../env/ledger/parse-ledger.ts";
import type { ContractTerms } from "./contract-terms.ts";

type Named = Pick<ContractTerms, "ledger" | "name" | "hash">;

/** What the ledger says of how an environment came to be; null: nothing yet. */
export function loadHow(contract: Named): string | null {
  return loadBlock(contract)?.how ?? null;
}

/** What the ledger says of an environment; null: nothing yet. */
export function loadBlock({ ledger, name, hash }: Named): LedgerBlock | null {
  try {
    return findBlock(parseLedger(readFileSync(ledger)).blocks, { name, hash });
  } catch {
    return null; // there is no ledger yet
  }
}
