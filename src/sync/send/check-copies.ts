import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { SortieError } from "../../base/error.ts";

/**
 * What `--copy` names, as paths in the project (empty for the project itself). Relative ones count from `folder`.
 * Neither folder may have symlinks in its path. @throws sync_copy_missing, sync_copy_outside
 */
export function checkCopies(
  copies: readonly string[],
  { source, folder }: { readonly source: string; readonly folder: string },
): string[] {
  return copies.map((copy) => {
    const path = resolve(folder, copy);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) throw new SortieError("sync_copy_missing", { path: copy, folder });
    const place = path === "/" ? path : join(realpathSync(dirname(path)), basename(path));
    const below = relative(source, place);
    if (isOutside(below)) throw new SortieError("sync_copy_outside", { path: copy, place, source });
    const target = stats.isSymbolicLink() ? findTarget(path) : null;
    if (target !== null && isOutside(relative(source, target))) {
      throw new SortieError("sync_copy_outside", { path: copy, place: target, source });
    }
    return below;
  });
}

/** null where the link leads nowhere. */
function findTarget(link: string): string | null {
  try {
    return realpathSync(link);
  } catch {
    return null; // then there is nothing behind it that could have been meant
  }
}

function isOutside(below: string): boolean {
  return below === ".." || below.startsWith("../");
}
