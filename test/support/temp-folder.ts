import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** A path that survives this survives most: spaces and both kinds of quotes. */
const AWKWARD_NAME = `sortie it's a "test" `;

const made: string[] = [];

/**
 * Gives each test of the file or `describe` an empty folder of its own, removed after it:
 * `const folder = useTempFolder();` beside the tests, `folder()` inside them.
 */
export function useTempFolder(): () => string {
  let path = "";
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), AWKWARD_NAME));
    made.push(path);
  });
  afterEach(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return () => path;
}

/** Temp folders of this test file that are still there, for the leak check. */
export function findLeftFolders(): string[] {
  return made.filter((path) => existsSync(path));
}
