import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface FixtureRow {
  readonly file: string;
  /** The check that it fails; undefined for one without a fault. */
  readonly check: string | undefined;
  readonly isSoft: boolean;
}

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));

/** The table in the README of a folder of `fixtures/`: a file and the check that it fails, a row each. */
export function readFixtureTable(folder: string): FixtureRow[] {
  const text = readFileSync(`${fixtures}/${folder}/README.md`, "utf8");
  const rows = [...text.matchAll(/^\| `([^`]+)` \|(?: `([\w-]+)`)?(?: (\(soft\)))? \|$/gm)];
  return rows.map(([, file, check, soft]) => ({ file: file as string, check, isSoft: soft !== undefined }));
}

/** Files of a folder that have to be in its table. */
export function listFixtures(folder: string, shared: readonly string[]): string[] {
  const files = readdirSync(`${fixtures}/${folder}`).filter((file) => /\.(py|mjs)$/.test(file));
  return files.filter((file) => !shared.includes(file)).sort();
}
