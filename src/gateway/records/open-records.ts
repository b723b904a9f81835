import { join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { findFolderFault, makeFolder } from "../../disk/make-folder.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { migrations } from "./schema.ts";

/** In the data folder. */
export const RECORDS_FILE = "gateway.db";

/**
 * The database of a gateway in its data folder, made where it is missing.
 * @throws gateway_data_no_folder, gateway_data_corrupt, gateway_data_newer, gateway_data_busy, gateway_data_unwritable
 */
export function openRecords(dataFolder: string): Store {
  const path = join(dataFolder, RECORDS_FILE);
  try {
    makeDataFolder(dataFolder);
    return openStore(path, { migrations });
  } catch (fault) {
    throw explainDataFault(fault, path);
  }
}

/** Makes a data folder where it is missing. @throws gateway_data_no_folder, or what the file system does */
export function makeDataFolder(folder: string): void {
  const reason = findFolderFault(folder);
  if (reason !== undefined) throw new SortieError("gateway_data_no_folder", { folder, reason });
  makeFolder(folder, { mode: 0o700 });
}

/** Looks through the whole database for damage, which takes a second for some 100 MB. @throws gateway_data_corrupt */
export function checkRecords(records: Store): void {
  const { path } = records;
  try {
    const reason = String(records.find("PRAGMA quick_check(1)")?.["quick_check"]);
    if (reason !== "ok") throw new SortieError("gateway_data_corrupt", { path, reason });
  } catch (fault) {
    throw explainDataFault(fault, path);
  }
}

const codes = {
  store_corrupt: "gateway_data_corrupt",
  store_newer: "gateway_data_newer",
  store_busy: "gateway_data_busy",
  home_unwritable: "gateway_data_unwritable",
} as const;

/** What the store says of a person's own database gives the wrong advice here. */
export function explainDataFault(fault: unknown, path: string): unknown {
  const { code } = fault as { code?: string };
  if (fault instanceof SortieError)
    return code !== undefined && code in codes
      ? new SortieError(codes[code as keyof typeof codes], fault.details, fault)
      : fault;
  if (!/^E[A-Z]+$/.test(code ?? "")) return fault;
  return new SortieError("gateway_data_unwritable", { path, reason: describeFault(fault) }, fault);
}
