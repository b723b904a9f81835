import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeFault } from "../base/error.ts";
import { findPersonalHome } from "../disk/home.ts";
import { parseStateLines } from "./state-lines.ts";

/** The variables that the contestant's tools share. */
export const stateNames = [
  "BASE_URL",
  "CHALLENGE_TOKEN",
  "JOB_ID",
  "JOB_UUID",
  "JOB_TOKEN",
  "PARALLELISM",
  "TUNNEL_ENDPOINT",
] as const;

export type StateName = (typeof stateNames)[number];

export interface StateFile {
  readonly path: string;
  /** Each as the last line says that sets it; one that is empty is absent. */
  readonly values: Readonly<Partial<Record<StateName, string>>>;
  /** The names whose last line only a shell could tell, with the number of that line. */
  readonly unread: Readonly<Partial<Record<StateName, number>>>;
  /** What a person should know of the file, in sentences; no value stands in them. */
  readonly warnings: readonly string[];
}

const MOST_BYTES = 1024 * 1024;

/** Reads `~/.simubotix-challenge.env`. Never throws: a file that is not there or cannot be read holds no values. */
export function loadStateFile(env: Readonly<Record<string, string | undefined>>): StateFile {
  const path = join(findPersonalHome(env), ".simubotix-challenge.env");
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { path, values: {}, unread: {}, warnings: [] };
    if (!stats.isFile() || stats.size > MOST_BYTES)
      return { path, values: {}, unread: {}, warnings: [`${path} is not read: it is no file of variables`] };
    const read = parseState(readFileSync(path, "utf8"), path);
    const open = stats.mode & 0o077 ? [`${path} holds tokens and is open to others: chmod 600 it`] : [];
    return { path, ...read, warnings: [...open, ...read.warnings] };
  } catch (fault) {
    return { path, values: {}, unread: {}, warnings: [`${path} cannot be read: ${describeFault(fault)}`] };
  }
}

/** What the text of a state file sets. `path` is for the warnings alone. */
export function parseState(text: string, path: string): Omit<StateFile, "path"> {
  const values: Partial<Record<StateName, string>> = {};
  const unreadLines: Partial<Record<StateName, number>> = {};
  const warnings: string[] = [];
  for (const { name, value, unread, line } of parseStateLines(text.replace(/^\ufeff/, ""))) {
    const known = stateNames.find((one) => one === (name ?? unread));
    if (known === undefined) continue;
    delete values[known];
    delete unreadLines[known];
    if (value) values[known] = value;
    if (unread === undefined) continue;
    unreadLines[known] = line;
    warnings.push(`${path} line ${line}: ${unread} is not read, only a shell could tell its value`);
  }
  return { values, unread: unreadLines, warnings };
}
