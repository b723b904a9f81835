import { findNearest } from "../base/nearest.ts";
import type { ConfigIssue } from "./issue.ts";
import { findKeyRow, type KeyName, keyNames } from "./keys/table.ts";
import { readValue } from "./value-readers.ts";
import { makeValueText } from "./value-text.ts";

/** Variables that Sortie reads beside those of the settings (`SORTIE_` and the setting's name in capitals). */
const variableTable = {
  SORTIE_HOME: "The folder of Sortie's own files (default `~/.sortie`).",
  SORTIE_DEBUG: "`1`: errors are printed with their stack.",
  SORTIE_SSH_CONFIG: "The configuration file of ssh to use in place of your own (as `ssh -F`).",
  SORTIE_LEASE_DIR: "The folder of the GPU leases, the same for all users of the machine.",
  SORTIE_NVIDIA_CARDS: "Where the driver lists its cards; for tests.",
  SORTIE_CHALLENGE_URL: "The base address of the challenge API.",
  SORTIE_HANDLER: "The handler that an agent serves where none is named.",
  SORTIE_BOARD: "The board of the job, for handlers: `manip` wants shorter answers.",
  SORTIE_ACCESS_TOKEN: "The token of `--access-token`, as the Python door passes it on.",
  SORTIE_HANGUP:
    "`ignore`: an agent does not end when its terminal does, as under `nohup`, of which the doors tell it.",
  SORTIE_USER_PASSWORD: "The password of `sortie gateway user add` and `passwd`.",
  SORTIE_RUN_ID: "Set for a run: its id.",
  SORTIE_RUN_NAME: "Set for a run: its name.",
  SORTIE_RUN_DIR: "Set for a run: its job folder.",
  SORTIE_RESULTS_DIR: "Set for a run: the folder for its results.",
  SORTIE_ATTEMPT: "Set for a run: the number of the attempt, from 1.",
  SORTIE_TEST_INSTALL: "`0`: `npm test` installs nothing.",
} as const;

/** All variables that Sortie reads or sets, for the documents, as Markdown. */
export function formatVariableTable(): string {
  const settings = listSettings().map((name) => [makeVariableName(name), findKeyRow(name).about]);
  const rows = [...Object.entries(variableTable), ...settings].map(
    ([name, about]) => `| \`${name}\` | ${about} |`,
  );
  return ["| variable | meaning |", "| --- | --- |", ...rows, ""].join("\n");
}

/** The variable of a setting: `free_memory_mib` is `SORTIE_FREE_MEMORY_MIB`. */
export function makeVariableName(name: KeyName): string {
  return `SORTIE_${name.toUpperCase()}`;
}

export interface VariableSettings {
  readonly values: ReadonlyMap<KeyName, unknown>;
  readonly warnings: readonly ConfigIssue[];
  readonly errors: readonly ConfigIssue[];
}

/** The settings among the variables. An unknown SORTIE_ variable is named only where it looks like a misspelt one. */
export function readVariables(env: Readonly<Record<string, string | undefined>>): VariableSettings {
  const values = new Map<KeyName, unknown>();
  const warnings: ConfigIssue[] = [];
  const errors: ConfigIssue[] = [];
  const settings = new Map(listSettings().map((name) => [makeVariableName(name), name]));
  const known = [...Object.keys(variableTable), ...settings.keys()];
  for (const [variable, text] of Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!variable.startsWith("SORTIE_") || text === undefined || text === "") continue;
    const name = settings.get(variable);
    if (name === undefined) {
      const nearest = known.includes(variable) ? undefined : findNearest(variable, known);
      if (nearest)
        warnings.push(makeIssue(variable, `${variable} is not a variable that Sortie knows`, nearest));
      continue;
    }
    const read = readValue(findKeyRow(name), makeValueText(text));
    if ("value" in read) values.set(name, read.value);
    else {
      const faults = findKeyRow(name).personal ? warnings : errors; // what concerns no run stops none
      faults.push(makeIssue(variable, `${variable} ${read.problem}`, read.nearest));
    }
  }
  return { values, warnings, errors };
}

/** Secrets come by the environment of the program that wants them, never by a setting's variable. */
function listSettings(): KeyName[] {
  return keyNames.filter((name) => findKeyRow(name).setting && !findKeyRow(name).secret);
}

function makeIssue(variable: string, message: string, nearest?: string): ConfigIssue {
  return { file: null, line: null, target: null, key: variable, message, nearest: nearest ?? null };
}
