import { statSync } from "node:fs";

/** Which file or folder is at a path, whatever it is called; undefined: none. Throws what the file system does. */
export function identifyFile(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
