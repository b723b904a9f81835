import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import { findFolderFault } from "../../disk/make-folder.ts";
import { LOCK_FILE } from "../../gateway/host/take-data-folder.ts";
import { explainDataFault, openRecords, RECORDS_FILE } from "../../gateway/records/open-records.ts";
import { isKernelLockHeld } from "../../store/kernel-lock.ts";
import type { Store } from "../../store/store.ts";

/**
 * Opens the database of a data folder for as long as `work` takes; it is made where no gateway ever was.
 * @throws gateway_data_no_folder, gateway_data_gone, and what `openRecords` throws
 */
export async function withRecords<Result>(
  dataFolder: string,
  work: (records: Store) => Result | Promise<Result>,
): Promise<Result> {
  isDataThere(dataFolder);
  const records = openRecords(dataFolder);
  try {
    return await work(records);
  } catch (fault) {
    throw explainDataFault(fault, records.path);
  } finally {
    records.close();
  }
}

/** Looks something up, making nothing: where no gateway or user ever was, `none` answers. */
export async function readRecords<Result>(
  dataFolder: string,
  work: (records: Store) => Result,
  none: () => Result,
): Promise<Result> {
  return isDataThere(dataFolder) ? withRecords(dataFolder, work) : none();
}

/** @throws gateway_data_missing, before anything is made in a folder that was misspelt */
export function checkDataThere(dataFolder: string): void {
  if (!isDataThere(dataFolder)) throw new SortieError("gateway_data_missing", { folder: dataFolder });
}

/**
 * False where no gateway ever was. Where one was, or works right now, a database that is missing is none to be made anew: the
 * gateway would never see it. @throws gateway_data_no_folder, gateway_data_gone
 */
function isDataThere(folder: string): boolean {
  const reason = findFolderFault(folder);
  if (reason !== undefined) throw new SortieError("gateway_data_no_folder", { folder, reason });
  const traces = [LOCK_FILE, `${RECORDS_FILE}-wal`, RECORDS_FILE].map((name) => join(folder, name));
  // A link to nothing is one too.
  const hasTraces = traces.some((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  // Looked at last: another process may be making it at this very moment.
  if (existsSync(join(folder, RECORDS_FILE))) return true;
  if (hasTraces) throw new SortieError("gateway_data_gone", { folder });
  return false;
}

/** Whether a gateway works in the data folder now. */
export function isGatewayRunning(dataFolder: string): boolean {
  return isKernelLockHeld(join(dataFolder, LOCK_FILE));
}
