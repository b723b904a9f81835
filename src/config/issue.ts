/** Something wrong with a configuration. An error stops launches that it concerns, a warning stops nothing. */
export interface ConfigIssue {
  /** Path as it is shown: relative to the working folder; null for a variable. */
  readonly file: string | null;
  readonly line: number | null;
  /** The target whose section it stands in; null where it concerns the file or all targets. */
  readonly target: string | null;
  /** The key or variable as written; null where it concerns the whole file. */
  readonly key: string | null;
  readonly message: string;
  /** What was probably meant. */
  readonly nearest: string | null;
}

/** `AGENTS.md line 4: code_sync must be rsync or git, not "gti". Did you mean git?` */
export function formatIssue(issue: ConfigIssue): string {
  const place =
    issue.file === null ? "" : `${issue.file}${issue.line === null ? "" : ` line ${issue.line}`}: `;
  const nearest = issue.nearest === null ? "" : ` Did you mean ${issue.nearest}?`;
  return `${place}${issue.message}.${nearest}`;
}
