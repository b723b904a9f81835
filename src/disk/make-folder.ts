import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describeFault } from "../base/error.ts";

/**
 * Makes a folder where it is missing, and what it lies in. Parents come first, each by itself: Node's own `recursive` never ends
 * below a folder, as /proc, that takes none. Throws what the file system does.
 */
export function makeFolder(path: string, options: { readonly mode?: number } = {}): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), options);
  try {
    mkdirSync(path, options);
  } catch (fault) {
    // Another process was quicker.
    if ((fault as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(path)) throw fault;
  }
}

/** Why no folder can be at a path, in words that follow its name; undefined: there is one, or one can be made. */
export function findFolderFault(path: string): string | undefined {
  try {
    const above = findThere(path);
    const fault = describePlace(above);
    return fault === undefined || above === path
      ? fault && `it ${fault}`
      : `it lies in ${above}, which ${fault}`;
  } catch (fault) {
    return describeFault(fault);
  }
}

/** The path itself, or the nearest above it that is there, a link to nothing included. */
function findThere(path: string): string {
  try {
    lstatSync(path);
    return path;
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if ((code !== "ENOENT" && code !== "ENOTDIR") || dirname(path) === path) throw fault;
    return findThere(dirname(path));
  }
}

function describePlace(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "is a link to nothing";
  return found.isDirectory() ? undefined : "is a file";
}
