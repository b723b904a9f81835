import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where a program of that name, or path, would be started from, by the PATH of the environment; null: nowhere. */
export function findProgram(name: string, env: Readonly<Record<string, string | undefined>>): string | null {
  if (name.includes("/")) return isProgram(name) ? name : null;
  const folders = (env["PATH"] ?? "/usr/bin:/bin").split(delimiter);
  return folders.map((folder) => join(folder || ".", name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not to be executed
  }
}
