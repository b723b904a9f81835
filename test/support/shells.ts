import { accessSync, constants, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The shells that our scripts must run under, as command words; a missing one is a failing test, not a skipped one. */
export function findShells(): string[] {
  return ["sh", "dash", "bash", "busybox sh"].filter(
    (shell) => process.platform === "linux" || findTool(shell),
  );
}

/** The path of a program on PATH. */
export function findTool(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((place) => join(place, name))
    .find(isProgram);
}

/** A folder that holds these programs and no others, to stand as the whole PATH. */
export function linkTools(folder: string, names: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const path = findTool(name);
    if (path) symlinkSync(path, join(folder, name));
  }
  return folder;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not here: the next place is tried
  }
}
