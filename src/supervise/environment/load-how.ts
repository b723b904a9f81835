import { readFileSync } from "node:fs";
import { findBlock, parseLedger } from "../../env/ledger/parse-ledger.ts";
import type { ContractTerms } from "./contract-terms.ts";

/** What the ledger says of how an environment came to be; null: nothing yet. */
export function loadHow({
  ledger,
  name,
  hash,
}: Pick<ContractTerms, "ledger" | "name" | "hash">): string | null {
  try {
    return findBlock(parseLedger(readFileSync(ledger)).blocks, { name, hash })?.how ?? null;
  } catch {
    return null; // there is no ledger yet
  }
}
