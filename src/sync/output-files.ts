import { makeGlobMatcher } from "../base/globs.ts";

export interface OutputScope {
  /** The folder that the paths count from. */
  readonly root: string;
  /** The run's folder, from which the globs count; it may lie below `root`, or `root` below it. */
  readonly folder: string;
  /** What the run writes; a glob may be absolute. */
  readonly outputs: readonly string[];
}

/** Whether a path below `root` is one that the run writes. Neither folder may have symlinks in its path. */
export function makeOutputMatcher({ root, folder, outputs }: OutputScope): (path: string) => boolean {
  const matchesBelow = makeGlobMatcher(outputs.filter((glob) => !glob.startsWith("/")));
  const matchesPlace = makeGlobMatcher(outputs.filter((glob) => glob.startsWith("/")));
  return (path) => {
    const place = `${root}/${path}`;
    if (matchesPlace(place)) return true;
    return place.startsWith(`${folder}/`) && matchesBelow(place.slice(folder.length + 1));
  };
}
