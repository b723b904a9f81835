import { type Stats, statSync } from "node:fs";
import { basename } from "node:path";

/** Watches that files which are open stay in their place. The function says what is wrong; undefined: nothing. */
export function watchPlaces(paths: readonly string[]): () => string | undefined {
  const opened = paths.map((path) => [path, nameFile(path)] as const);
  return () => {
    const lost = opened.find(([path, name]) => nameFile(path) !== name);
    if (lost === undefined) return undefined;
    return `${basename(lost[0])} was replaced or removed while the gateway runs: stop it and put it back`;
  };
}

/** Which file it is, whatever it is called; undefined where there is none, or nobody can tell. */
function nameFile(path: string): string | undefined {
  const stats = lookAt(path);
  return stats && `${stats.dev}:${stats.ino}`;
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // its folder cannot be entered any more
  }
}
