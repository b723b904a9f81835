import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeFault } from "../base/error.ts";

/**
 * Makes a folder of ours alone, its path at most `mostBytes` long, in the first of these that takes one: TMPDIR, /tmp,
 * /dev/shm, /var/tmp. Never throws: `notMade` is why there is none, in the system's words of the first, and what to do.
 */
export function makeTempFolder(
  prefix: string,
  mostBytes = Number.POSITIVE_INFINITY,
  parents: readonly string[] = [tmpdir(), "/tmp", "/dev/shm", "/var/tmp"],
): { readonly path: string } | { readonly notMade: string } {
  let fault: string | undefined;
  const fitting = parents.filter((parent) => Buffer.byteLength(join(parent, prefix)) + 6 <= mostBytes);
  for (const parent of fitting) {
    try {
      return { path: mkdtempSync(join(parent, prefix)) };
    } catch (reason) {
      fault ??= describeFault(reason);
    }
  }
  const tried = [...new Set(fitting)].join(", ");
  return { notMade: `${fault}; none of ${tried} takes a folder: set TMPDIR to one that can be written` };
}
