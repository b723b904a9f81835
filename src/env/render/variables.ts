import { quotePath, quoteShell } from "../../base/quote.ts";
import type { EnvSpec } from "../spec/env-spec.ts";

/**
 * The variables of a spec as shell lines: where its weights are, then its `env`, which wins. `project` is the folder
 * that relative paths begin at, as shell text.
 */
export function makeVariableLines({ weightDirs, env }: EnvSpec, { project }: { project: string }): string[] {
  const weights = weightDirs.flatMap(({ path, env: name }) =>
    name === null
      ? []
      : [`export ${name}=${/^[/~]/.test(path) ? quotePath(path) : `${project}/${quoteShell(path)}`}`],
  );
  return [...weights, ...Object.entries(env).map(([name, value]) => `export ${name}=${quoteShell(value)}`)];
}
