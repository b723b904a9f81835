import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { LOCK_FILE } from "../../gateway/host/take-data-folder.ts";
import { RECORDS_FILE } from "../../gateway/records/open-records.ts";
import { copyStore } from "../../store/copy-store.ts";
import { checkDataThere, withRecords } from "./open-data.ts";

/**
 * Copies the database into a file, whole and checked, while the gateway works. Recordings are not part of it.
 * @throws gateway_data_missing, backup_exists, backup_failed
 */
export async function backUp(
  { dataFolder }: GatewayConfig,
  file: string,
  options: { readonly replace: boolean },
): Promise<{ file: string; bytes: number }> {
  checkDataThere(dataFolder);
  if (isOwnFile(dataFolder, file) || (existsSync(file) && !options.replace))
    throw new SortieError("backup_exists", { file });
  await withRecords(dataFolder, (records) => {
    try {
      copyStore(records, file, options);
    } catch (fault) {
      throw explainFault(fault, file);
    }
  });
  return { file, bytes: statSync(file).size };
}

function explainFault(fault: unknown, file: string): SortieError {
  if ((fault as NodeJS.ErrnoException).code === "EEXIST")
    return new SortieError("backup_exists", { file }, fault);
  // What the store says names the database, though it is the copy that has no room.
  const told = fault instanceof SortieError ? fault.details["reason"] : undefined;
  return new SortieError("backup_failed", { file, reason: told ?? describeFault(fault) }, fault);
}

/** The database itself is never replaced, by whatever name of its folder. */
function isOwnFile(dataFolder: string, file: string): boolean {
  const folder = dirname(file);
  if (!existsSync(folder) || realpathSync(folder) !== realpathSync(dataFolder)) return false;
  const own = [
    RECORDS_FILE,
    `${RECORDS_FILE}-wal`,
    `${RECORDS_FILE}-shm`,
    `${RECORDS_FILE}-journal`,
    LOCK_FILE,
  ];
  return own.includes(basename(join(file)));
}
