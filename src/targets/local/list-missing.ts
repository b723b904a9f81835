import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findGlobBase } from "../../base/globs.ts";

/** Where relative paths of a section count from: the folder of the run; and `~/`. */
export interface InputPlace {
  readonly cwd: string;
  readonly home: string;
}

/** Those of the paths, or of the folders that their patterns begin with, that are not there; addresses are not looked at. */
export function listMissing(paths: readonly string[], place: InputPlace): string[] {
  return paths.filter((path) => isPath(path) && !isThere(findPlace(path, place)));
}

function isPath(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function findPlace(path: string, { cwd, home }: InputPlace): string {
  return resolve(cwd, path.replace(/^~(?=\/|$)/, home));
}

function isThere(path: string): boolean {
  if (existsSync(path)) return true;
  const base = findGlobBase(path);
  return base !== path && existsSync(base);
}
