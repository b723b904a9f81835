import { quotePath } from "../../base/quote.ts";
import usualJobDir from "./scripts/usual-job-dir.sh";

/**
 * A script for `sh -s` on a host over the network: of one that is cut on its way nothing is run, since a shell runs a
 * group of commands only when it has read all of it.
 */
export function makeHostScript(parts: readonly string[]): string {
  return ["{", ...parts, "exit", "}", ""].join("\n");
}

/** Assignments of paths on the host, which may begin with `~/`; their names begin with `sortie_`. */
export function makePathSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, path]) => `${name}=${quotePath(path)}\n`)
    .join("");
}

/** Sets sortie_job_dir. @param jobDir null: `jobs` in the host's own home folder of Sortie */
export function makeJobDirSetting(jobDir: string | null): string {
  if (jobDir !== null) return makePathSettings({ sortie_job_dir: jobDir });
  return usualJobDir;
}
