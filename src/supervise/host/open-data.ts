import { existsSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import { LOCK_FILE } from "../../gateway/host/take-data-folder.ts";
import { explainDataFault, openRecords, RECORDS_FILE } from "../../gateway/records/open-records.ts";
import { isKernelLockHeld } from "../../store/kernel-lock.ts";
import type { Store } from "../../store/store.ts";

/** Opens the database of a data folder for as long as `work` takes; it is made where it is missing. */
export async function withRecords<Result>(
  dataFolder: string,
  work: (records: Store) => Result | Promise<Result>,
): Promise<Result> {
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

function isDataThere(dataFolder: string): boolean {
  return existsSync(join(dataFolder, RECORDS_FILE));
}

/** Whether a gateway works in the data folder now. */
export function isGatewayRunning(dataFolder: string): boolean {
  return isKernelLockHeld(join(dataFolder, LOCK_FILE));
}
