import { readdirSync } from "node:fs";

/** Names by which Python may import what lies in a folder: its modules, and folders that can be packages. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.name.endsWith(".py"))
      .map((entry) => entry.name.replace(/\.py$/, ""))
      .filter((name) => /^[\p{ID_Start}][\p{ID_Continue}]*$/u.test(name))
      .sort();
  } catch {
    return []; // the folder is not there or not to be read
  }
}
