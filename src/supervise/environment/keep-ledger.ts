import { readFileSync } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import { type LedgerBlock, parseLedger } from "../../env/ledger/parse-ledger.ts";
import { saveBlock } from "../../env/ledger/save-block.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { findContract } from "./find-contract.ts";
import { placeLedger } from "./ledger-place.ts";

export interface ShownLedger {
  readonly file: string;
  readonly blocks: readonly LedgerBlock[];
  readonly warnings: readonly string[];
}

/** What the ledger of a target says; of one environment where its name is given. @throws ledger_unreadable */
export function showLedger(chosen: ChosenTarget, name: string | null): ShownLedger {
  const file = placeLedger(chosen);
  const { blocks, warnings } = parseLedger(readLedger(file));
  return { file, blocks: blocks.filter((block) => name === null || block.name === name), warnings };
}

/** Adds what others should know to the block of an environment, as its specification is now. @throws spec_missing, ledger_… */
export async function addGotchas(
  desk: Desk,
  chosen: ChosenTarget,
  { wanted, gotchas }: { wanted: string | null; gotchas: readonly string[] },
): Promise<{ file: string; environment: string }> {
  const contract = await findContract(desk, chosen, wanted);
  if (contract === null)
    throw new SortieError("spec_missing", { wanted: `in ${chosen.projectFolder}`, known: "" });
  const { name, loaded, ledger, how } = contract;
  const given = ledger.block?.how == null ? { how } : {};
  await saveBlock(ledger.path, { name, hash: loaded.hash, ...given, gotchas }, { clock: desk.clock });
  return { file: ledger.path, environment: `${name}@${loaded.hash}` };
}

function readLedger(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw new SortieError("ledger_unreadable", { file, reason: describeFault(fault) });
  }
}
