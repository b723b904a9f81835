import { existsSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import { makeFileOnce } from "../../disk/atomic-file.ts";
import { initText } from "../../gateway/config/init-text.ts";

/** What a gateway reads where nothing is named. */
export const CONFIG_FILE = "gateway.yaml";

/** Writes a commented configuration into a folder, which is made where it is missing. @throws gateway_config_exists, gateway_config_unwritable */
export function initGateway(folder: string): string {
  const file = join(folder, CONFIG_FILE);
  if (existsSync(file) || !makeConfig(file)) throw new SortieError("gateway_config_exists", { file });
  return file;
}

function makeConfig(file: string): boolean {
  try {
    return makeFileOnce(file, initText);
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault;
    throw new SortieError("gateway_config_unwritable", fault.details, fault);
  }
}
