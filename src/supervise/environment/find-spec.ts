import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { SortieError } from "../../base/error.ts";

/** An environment's name, and the file that specifies it. */
export interface SpecFile {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

const ENDING = /\.(ya?ml|json)$/;
/** The folder of a project that may hold several, each named after its environment. */
const FOLDER = "env-specs";

/** Every specification of a project: `env-spec.yaml`, `NAME.env-spec.yaml`, `env-specs/NAME.yaml`; or `.yml`, `.json`. */
export function listSpecs(projectFolder: string): SpecFile[] {
  const own = listFiles(projectFolder).filter((name) => /(^|\.)env-spec\.(ya?ml|json)$/.test(name));
  const more = listFiles(join(projectFolder, FOLDER)).filter((name) => ENDING.test(name));
  return [
    ...own.map((name) => join(projectFolder, name)),
    ...more.map((name) => join(projectFolder, FOLDER, name)),
  ]
    .map((path) => ({ name: nameSpec(path, projectFolder), path }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The one that is wanted, by name or by path from the project's folder; where none is named the only one. null: the
 * project has none. @throws spec_missing, spec_ambiguous, spec_doubled
 */
export function chooseSpec(projectFolder: string, wanted: string | null): SpecFile | null {
  if (wanted !== null && (wanted.includes("/") || ENDING.test(wanted))) {
    const path = resolve(projectFolder, wanted);
    return { name: nameSpec(path, projectFolder), path };
  }
  const specs = listSpecs(projectFolder);
  const fitting = wanted === null ? specs : specs.filter(({ name }) => name === wanted);
  const [first, second] = fitting;
  if (first === undefined) {
    if (wanted === null) return null;
    const names = specs.map(({ name }) => name);
    throw new SortieError("spec_missing", {
      wanted,
      known: names.length === 0 ? "" : ` (there is ${names.join(", ")})`,
    });
  }
  const double = fitting.find(({ name, path }) => name === first.name && path !== first.path);
  if (double)
    throw new SortieError("spec_doubled", { name: first.name, file: first.path, other: double.path });
  if (second) {
    throw new SortieError("spec_ambiguous", {
      names: specs.map(({ name }) => name).join(", "),
      example: first.name,
    });
  }
  return first;
}

/** Where a new one is written. */
export function placeNewSpec(projectFolder: string, name: string | null): SpecFile {
  if (name === null) {
    const path = join(projectFolder, "env-spec.yaml");
    return { name: nameSpec(path, projectFolder), path };
  }
  return { name: cleanName(name), path: join(projectFolder, FOLDER, `${cleanName(name)}.yaml`) };
}

function nameSpec(path: string, projectFolder: string): string {
  const stem = basename(path)
    .replace(ENDING, "")
    .replace(/\.?env-spec$/, "");
  return cleanName(stem || basename(projectFolder));
}

/** It becomes a folder's name on hosts, and stands in a heading of the ledger. */
function cleanName(text: string): string {
  const clean = text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|-+$/g, "");
  return clean.slice(0, 64) || "project";
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is no such folder, or it is not for us to read
  }
}
