import { basename } from "node:path";
import { identifyFile } from "../../disk/identify-file.ts";

/** Watches that files which are open stay in their place. The function says what is wrong; undefined: nothing. */
export function watchPlaces(paths: readonly string[]): () => string | undefined {
  const opened = paths.map((path) => [path, lookAt(path)] as const);
  return () => {
    const lost = opened.find(([path, file]) => lookAt(path) !== file);
    if (lost === undefined) return undefined;
    return `${basename(lost[0])} was replaced or removed while the gateway runs: stop it and put it back`;
  };
}

function lookAt(path: string): string | undefined {
  try {
    return identifyFile(path);
  } catch {
    return undefined; // its folder cannot be entered any more
  }
}
