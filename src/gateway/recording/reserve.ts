import { statfs } from "node:fs/promises";
import { formatBytes } from "../../base/bytes.ts";

/** What recordings leave free on their disk, so that the database can still be written; of a small disk its share. */
const RESERVE_BYTES = 64 * 1024 * 1024;
const RESERVE_SHARE = 0.05;

/** Why so many bytes more may not be written into a folder; undefined: they may. Throws what the file system does. */
export async function findReserveFault(folder: string, bytes: number): Promise<string | undefined> {
  const { blocks, bavail, bsize } = await statfs(folder);
  const reserve = Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_SHARE);
  if (bavail * bsize - bytes >= reserve) return undefined;
  return `less than ${formatBytes(reserve)} would be free on the disk, which are kept for the database`;
}
