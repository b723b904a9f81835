import { statSync } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { copyStore } from "../../store/copy-store.ts";
import { checkBackupPlace } from "./check-backup-place.ts";
import { checkDataThere, withRecords } from "./open-data.ts";

/**
 * Copies the database into a file, whole and checked, while the gateway works. Recordings are not part of it.
 * @throws gateway_data_missing, backup_exists, backup_place_bad, backup_failed
 */
export async function backUp(
  config: GatewayConfig,
  file: string,
  options: { readonly replace: boolean },
): Promise<{ file: string; bytes: number }> {
  checkDataThere(config.dataFolder);
  checkBackupPlace(config, file, options);
  await withRecords(config.dataFolder, (records) => {
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
