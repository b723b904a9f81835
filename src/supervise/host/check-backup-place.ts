import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { LOCK_FILE } from "../../gateway/host/take-data-folder.ts";
import { RECORDS_FILE } from "../../gateway/records/open-records.ts";
import { listTables } from "../../store/list-tables.ts";

/** Tables that the database of every gateway has. */
const OUR_TABLES = ["settings", "users", "jobs", "cases", "attempts"];

/**
 * A backup takes the place of an earlier one alone, and of nothing that a gateway works with.
 * @throws backup_exists, backup_place_bad
 */
export function checkBackupPlace(
  config: GatewayConfig,
  file: string,
  { replace }: { readonly replace: boolean },
): void {
  const isThere = isSomethingAt(file);
  const isOwn = isOwnName(config, file);
  if (!isThere && !isOwn) return;
  if (!replace && !isOwn) throw new SortieError("backup_exists", { file });
  const reason = isOwn ? "the gateway works with it" : findReason(config, file);
  if (reason !== undefined) throw new SortieError("backup_place_bad", { file, reason });
}

function isSomethingAt(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch {
    return false; // where it cannot be looked at, nothing can be written either
  }
}

function findReason(config: GatewayConfig, file: string): string | undefined {
  const real = resolveFolder(file);
  if (realpathSync(config.file) === real) return "it is the configuration";
  if (`${dirname(real)}/`.startsWith(`${realpathSync(config.dataFolder)}/`))
    return "it lies in the gateway's data folder";
  if (!lstatSync(file).isFile()) return "it is no regular file";
  if (basename(real) === RECORDS_FILE && existsSync(join(dirname(real), LOCK_FILE)))
    return "it is the database of another gateway";
  return isBackup(file) ? undefined : "it is no database of a gateway";
}

function isBackup(file: string): boolean {
  try {
    const tables = listTables(file) ?? [];
    return OUR_TABLES.every((table) => tables.includes(table));
  } catch (fault) {
    throw new SortieError("backup_place_bad", { file, reason: describeFault(fault) }, fault);
  }
}

/** Names that the gateway takes, also those of files that come and go, by whatever name of their folder. */
function isOwnName({ dataFolder }: GatewayConfig, file: string): boolean {
  if (!existsSync(dirname(file)) || dirname(resolveFolder(file)) !== realpathSync(dataFolder)) return false;
  const name = basename(file);
  return name === LOCK_FILE || name.startsWith(`${LOCK_FILE}-`) || isDatabaseName(name);
}

function isDatabaseName(name: string): boolean {
  return name === RECORDS_FILE || ["-wal", "-shm", "-journal"].some((end) => name === RECORDS_FILE + end);
}

/** By the real name of its folder; a link itself is not followed. */
function resolveFolder(file: string): string {
  return join(realpathSync(dirname(file)), basename(file));
}
