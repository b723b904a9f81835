import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { migrations } from "./schema.ts";

/** The database of a gateway in its data folder, made where it is missing. @throws store_corrupt, store_newer, store_busy, home_unwritable */
export function openRecords(dataFolder: string): Store {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  return openStore(join(dataFolder, "gateway.db"), { migrations });
}
