import { relative } from "node:path";
import type { ConfigIssue } from "./issue.ts";
import type { Config } from "./load-config.ts";
import type { Target } from "./target.ts";

/** What `sortie targets --json` prints. */
export interface TargetsDocument {
  readonly schema: 1;
  /** Relative to the working folder. */
  readonly files: readonly string[];
  readonly targets: readonly Omit<Target, "source">[];
  readonly defaults: Readonly<Record<string, { readonly value: unknown; readonly line: number }>>;
  readonly warnings: readonly ConfigIssue[];
  readonly errors: readonly ConfigIssue[];
}

export function makeTargetsDocument(config: Config): TargetsDocument {
  return {
    schema: 1,
    files: config.files.map((file) => relative(config.cwd, file)),
    targets: config.targets.map(({ source: _, ...shown }) => shown),
    defaults: Object.fromEntries(
      [...config.defaults].map(([name, { value, line }]) => [name, { value, line }]),
    ),
    warnings: config.warnings,
    errors: config.errors,
  };
}
