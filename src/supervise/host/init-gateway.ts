import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { makeFileOnce } from "../../disk/atomic-file.ts";
import { findFolderFault, makeFolder } from "../../disk/make-folder.ts";
import { initText } from "../../gateway/config/init-text.ts";

/** What a gateway reads where nothing is named. */
export const CONFIG_FILE = "gateway.yaml";

/**
 * Writes a commented configuration into a folder, which is made where it is missing.
 * @throws value_bad, gateway_config_exists, gateway_config_unwritable
 */
export function initGateway(folder: string): string {
  const reason = findFolderFault(folder);
  if (reason !== undefined) {
    const advice = "Name a folder; it is made where it is missing.";
    throw new SortieError("value_bad", { what: "The folder", value: folder, reason, advice });
  }
  const file = join(folder, CONFIG_FILE);
  if (existsSync(file) || !makeConfig(file)) throw new SortieError("gateway_config_exists", { file });
  return file;
}

function makeConfig(file: string): boolean {
  try {
    makeFolder(dirname(file));
    return makeFileOnce(file, initText);
  } catch (fault) {
    const told = fault instanceof SortieError ? fault.details["reason"] : undefined;
    const reason = told ?? describeFault(fault);
    throw new SortieError("gateway_config_unwritable", { path: file, reason }, fault);
  }
}
