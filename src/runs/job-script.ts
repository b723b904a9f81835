import { quoteCommand, quoteShell } from "../base/quote.ts";

export interface JobScriptParts {
  /** Shell lines that activate the environment; each must succeed. Empty: the caller's environment as it is. */
  readonly activation: readonly string[];
  readonly cwd: string;
  readonly command: readonly string[];
}

/**
 * The text of `job.sh`: environment, activation, `cd`, the command, and nothing else. It can be run by hand, and
 * then touches nothing in the job folder.
 */
export function makeJobScript({ activation, cwd, command }: JobScriptParts): string {
  return [
    "# The command of this run; `sh job.sh` runs it again by hand.",
    "export PYTHONUNBUFFERED=1",
    ...activation.map((line) => `{ ${line}\n} || exit`),
    `cd ${quoteShell(cwd)} || exit`,
    `exec ${quoteCommand(command)}`,
    "",
  ].join("\n");
}

/** The text of `env`: variables as a shell reads them. A name that no shell can export is left out and returned. */
export function makeEnvFile(variables: Readonly<Record<string, string>>): {
  text: string;
  leftOut: string[];
} {
  const names = Object.keys(variables);
  const usable = names.filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  return {
    text: usable.map((name) => `export ${name}=${quoteShell(variables[name] as string)}\n`).join(""),
    leftOut: names.filter((name) => !usable.includes(name)),
  };
}
