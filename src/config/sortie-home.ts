import { join, resolve } from "node:path";

/** Sortie's home folder: `SORTIE_HOME`, else `~/.sortie`. Absolute. */
export function findSortieHome(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  cwd: string,
): string {
  const chosen = env["SORTIE_HOME"];
  if (chosen === undefined || chosen === "") return join(home, ".sortie");
  return resolve(cwd, chosen.replace(/^~(?=\/|$)/, home));
}
