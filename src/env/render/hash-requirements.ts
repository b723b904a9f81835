import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { EnvSpec } from "../spec/env-spec.ts";
import { parsePipPhase } from "./pip-arguments.ts";
import { isAddress, isRequirement, listRequirementFiles } from "./requirement-files.ts";

/**
 * The first 8 hex digits of the sha256 of what the requirement files of a spec say, those that they name included; null:
 * the spec names none. Comments, blank lines and the order of lines change nothing. `readText` gives the text of a path
 * as the spec names it, and throws where it is missing.
 */
export function hashRequirements(spec: EnvSpec, readText: (path: string) => string): string | null {
  const paths = listRequirementFiles(spec);
  if (paths.length === 0) return null;
  const texts = new Map<string, readonly string[]>();
  for (const path of paths) readRequirements(posix.normalize(path), readText, texts);
  const canonical = JSON.stringify([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash("sha256").update(canonical).digest("hex").slice(0, 8);
}

/** Adds the lines of a file, and of those that it names: as pip finds them, from that file's own folder on. */
function readRequirements(
  path: string,
  readText: (path: string) => string,
  texts: Map<string, readonly string[]>,
): void {
  if (texts.has(path)) return;
  const lines = normalizeRequirements(readText(path));
  texts.set(path, [...lines].sort());
  for (const { name, value } of parsePipPhase(lines).options) {
    if (!isRequirement(name) || value === null || isAddress(value)) continue;
    readRequirements(posix.join(posix.dirname(path), value), readText, texts);
  }
}

/** The lines of a requirement file: continued ones joined, comments and blank ones dropped, white space in one form. */
function normalizeRequirements(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/^\s*#.*$/gm, "") // a comment is never continued
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, "")
        .trim()
        .replaceAll(/\s+/g, " "),
    )
    .filter((line) => line !== "");
}
