import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, resolve } from "node:path";

/** Where a target's paths count from. */
export interface ProjectPlace {
  /** The folder that a run would be started in. */
  readonly cwd: string;
  /** The person's home folder, for `~/`. */
  readonly home: string;
}

/**
 * The folders whose files came with the project: its repositories, else the run's folder and that of the file with the
 * targets. The person's home folder is never one, nor is anything above it.
 */
export function listProjectFolders({ cwd, home }: ProjectPlace, file: string | null): string[] {
  const starts = file === null ? [cwd] : [cwd, dirname(file)];
  const folders = starts.flatMap((start) => {
    const folder = resolve(start);
    return [folder, findRepository(folder)].filter(
      (path) => !isBelow(findRealPath(home), findRealPath(path)),
    );
  });
  return [...new Set(folders.flatMap((folder) => [folder, findRealPath(folder)]))];
}

/** Whether a program or script lies in one of the folders, by its name or where its links lead; so does a relative one. */
export function isProjectFile(path: string, folders: readonly string[], home: string): boolean {
  const expanded = path.replace(/^~(?=\/|$)/, home);
  if (!isAbsolute(expanded)) return true;
  const places = [normalize(expanded), findRealPath(expanded), findRealPath(dirname(expanded))];
  return places.some((place) => folders.some((folder) => isBelow(place, folder)));
}

function findRepository(folder: string): string {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(join(path, ".git"))) return path;
    if (dirname(path) === path) return folder;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there: nothing of it can be run either
  }
}
