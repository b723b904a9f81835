import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import { type KernelLock, takeKernelLock } from "../../store/kernel-lock.ts";

/** In the data folder, held by the gateway that works in it, and free as soon as its process is gone. */
export const LOCK_FILE = "gateway.lock";

/** @throws SortieError `gateway_running`, `home_unwritable` */
export function takeDataFolder(dataFolder: string): KernelLock {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const lock = takeKernelLock(join(dataFolder, LOCK_FILE));
  if (lock === null) throw new SortieError("gateway_running", { folder: dataFolder });
  return lock;
}
