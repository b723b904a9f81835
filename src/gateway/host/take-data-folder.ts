import { join } from "node:path";
import { pauseSync } from "../../base/clock.ts";
import { SortieError } from "../../base/error.ts";
import { type KernelLock, takeKernelLock } from "../../store/kernel-lock.ts";
import { explainDataFault, makeDataFolder } from "../records/open-records.ts";

/** In the data folder, held by the gateway that works in it, and free as soon as its process is gone. */
export const LOCK_FILE = "gateway.lock";

/** A command that looks whether a gateway runs holds the lock for an instant. */
const TRIES = 5;
const PAUSE_MS = 20;

/** @throws SortieError `gateway_running`, `gateway_data_no_folder`, `gateway_data_unwritable`, `gateway_data_corrupt` */
export function takeDataFolder(dataFolder: string): KernelLock {
  try {
    return takeLock(dataFolder);
  } catch (fault) {
    throw explainDataFault(fault, dataFolder);
  }
}

function takeLock(dataFolder: string): KernelLock {
  makeDataFolder(dataFolder);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const lock = takeKernelLock(join(dataFolder, LOCK_FILE));
    if (lock !== null) return lock;
    pauseSync(PAUSE_MS);
  }
  throw new SortieError("gateway_running", { folder: dataFolder });
}
