import type { RunRequest } from "../../runs/run-record.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";

const GIT_MS = 30_000;

/**
 * What of the code folder stays at home, as patterns of a `.dockerignore`: what git ignores, results of earlier runs, and what
 * `sync_exclude` names.
 */
export async function listLeftOut(
  { runner, env }: Pick<Desk, "runner" | "env">,
  { cwd, results }: Pick<RunRequest, "cwd" | "results">,
  { settings }: ChosenTarget,
): Promise<string[]> {
  const argv = ["git", "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const { exitCode, stdout } = await runner.run(argv, { cwd, env, timeoutMs: GIT_MS });
  const ignored = exitCode === 0 ? stdout.split("\0").filter((path) => path !== "" && path !== "./") : [];
  const made = results.filter((pattern) => !/^[~/]/.test(pattern) && !/^\.?\/*$/.test(pattern));
  return [
    ...new Set([...ignored.map(escapePattern), ...made, ...settings.syncExclude].map(trimSlashes)),
  ].sort();
}

/** What a pattern would take for wildcards. */
function escapePattern(path: string): string {
  return path.replace(/[*?[\]\\]/g, "\\$&");
}

function trimSlashes(pattern: string): string {
  return pattern.replace(/^\.?\//, "").replace(/\/+$/, "");
}
