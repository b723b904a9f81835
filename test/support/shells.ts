import { accessSync, constants, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isSoak } from "./effort.ts";

/**
 * The shells that our scripts must run under, as command words; a missing one is a failing test, not a skipped one. An `sh` that
 * is `dash` is tried once.
 */
export function findShells(): string[] {
  const shells = isSame("sh", "dash") ? ["dash", "bash", "busybox sh"] : ["sh", "dash", "bash", "busybox sh"];
  return shells.filter((shell) => process.platform === "linux" || findTool(shell));
}

/** For what takes seconds in each: all of them in a soak, else the one that knows least. */
export function findFewShells(): string[] {
  return isSoak ? findShells() : findShells().slice(-1);
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [findTool(one), findTool(other)];
  return first !== undefined && second !== undefined && realpathSync(first) === realpathSync(second);
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
