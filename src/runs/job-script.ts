import { quoteCommand, quoteShell } from "../base/quote.ts";
import countCpus from "../process/count-cpus.sh";
import setThreads from "./scripts/threads.sh";

export interface JobScriptParts {
  /** Shell lines that activate the environment; each must succeed. Empty: the caller's environment as it is. */
  readonly activation: readonly string[];
  readonly cwd: string;
  readonly command: readonly string[];
  /** Variables that the command has also when it is run by hand; null: one that it is not to have. */
  readonly variables?: Readonly<Record<string, string | null>>;
  /**
   * Sets the variables by which libraries choose their number of threads to the CPUs that the run may use, shared by so
   * many processes (its GPUs, at least 1), unless one of them is set. null: they stay as they are.
   */
  readonly threadShares?: number | null;
}

/**
 * The text of `job.sh`: environment, activation, `cd`, threads, the command, and nothing else. It can be run by hand, and
 * then touches nothing in the job folder.
 */
export function makeJobScript(parts: JobScriptParts): string {
  const { activation, cwd, command, variables = {}, threadShares = null } = parts;
  const enter = `cd ${quoteShell(cwd)} || exit`;
  return [
    "# The command of this run; `sh job.sh` runs it again by hand.",
    "export PYTHONUNBUFFERED=1",
    ...Object.entries(variables).map(([name, value]) =>
      value === null ? `unset ${name}` : `export ${name}=${quoteShell(value)}`,
    ),
    enter,
    // A person's own lines may name files of the folder, and may leave it.
    ...(activation.length === 0 ? [] : [...activation.map((line) => `{ ${line}\n} || exit`), enter]),
    // After the activation, which may set them, too.
    ...(threadShares === null ? [] : [countCpus, setThreads, `set_threads ${Math.max(1, threadShares)}`]),
    `exec ${quoteCommand(command)}`,
    "",
  ].join("\n");
}

/** Names that a shell keeps for itself: setting one can end it. */
const OWN_NAMES: readonly string[] = [
  "UID",
  "EUID",
  "PPID",
  "OPTIND",
  "SHELLOPTS",
  "BASHOPTS",
  "BASH_VERSINFO",
];

/** Whether a shell can hand a variable of this name to a program. */
export function isExportable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !OWN_NAMES.includes(name);
}

/** The text of `env`: variables as a shell reads them. Names that are not exportable are left out. */
export function makeEnvFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .filter(([name]) => isExportable(name))
    .map(([name, value]) => `export ${name}=${quoteShell(value)}\n`)
    .join("");
}
