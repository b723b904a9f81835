import { arrangePhases } from "./arrange-phases.ts";
import { choosePython } from "./choose-python.ts";
import { listImportNames } from "./import-names.ts";
import { findCondaFile, readConda } from "./read-conda.ts";
import { readPyproject } from "./read-pyproject.ts";
import { joinSources, readRequirements } from "./read-requirements.ts";
import { EMPTY_SOURCE, loadText, type Source, type Taken } from "./source.ts";
import { writeSpec } from "./write-spec.ts";

export interface DraftedSpec {
  /** YAML, with comments that say where each line came from. */
  readonly text: string;
  /** The files that it was made from; empty: there was none. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

interface ReadFile {
  readonly file: string;
  readonly source: Source;
}

/**
 * Drafts the spec of a project out of `environment.yml`, `requirements.txt` and `pyproject.toml`. The first of them that
 * requires anything says what is installed: two of them seldom agree. @throws draft_unreadable
 */
export function draftSpec(folder: string): DraftedSpec {
  const conda = findCondaFile(folder);
  const read = [
    ...(conda === null ? [] : [{ file: conda, source: readConda(folder, conda) }]),
    { file: "requirements.txt", source: readRequirements(folder, "requirements.txt") },
    { file: "pyproject.toml", source: readPyproject(folder) },
  ].filter((entry): entry is ReadFile => entry.source !== null);
  const chosen = read.find(({ source }) => source.requirements.length > 0) ?? read[0];
  const source = joinSources(
    read.map((entry) => (entry === chosen ? entry.source : keepOthers(entry.source))),
  );
  const phases = arrangePhases(source);
  const installed = phases.flatMap(({ entries }) => entries);
  return {
    text: writeSpec({
      files: read.map(({ file }) => file),
      base: read.find(({ file }) => file === conda)?.source.base ?? readPythonVersion(folder) ?? source.base,
      phases,
      notes: source.notes,
      imports: listImportNames(installed.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text)),
    }),
    files: read.map(({ file }) => file),
    warnings: [
      ...source.warnings,
      ...read
        .filter((entry) => entry !== chosen && chosen !== undefined)
        .flatMap((entry) => warnOf(entry, chosen)),
      ...(read.length === 0
        ? ["There is no requirements.txt, pyproject.toml or environment.yml: the draft is empty."]
        : []),
    ],
  };
}

/** Of a file that does not say what is installed: its Python, its notes, and the project itself. */
function keepOthers({ base, editables, notes, warnings }: Source): Source {
  return { ...EMPTY_SOURCE, base, editables, notes, warnings };
}

/** What pyenv and uv take the project's Python from. */
function readPythonVersion(folder: string): Taken | null {
  const version = loadText(folder, ".python-version")?.trim().split("\n")[0]?.trim() ?? "";
  const chosen = choosePython(version);
  if (chosen === null) return null;
  // A range, as uv takes one, names no base.
  return { text: `python:${/^[\d.]+$/.test(version) ? version : chosen}`, from: ".python-version" };
}

function warnOf({ file, source }: ReadFile, chosen: ReadFile | undefined): string[] {
  const isPart = chosen?.source.requirements.some(({ from }) => from.startsWith(`${file}:`));
  if (source.requirements.length === 0 || isPart) return [];
  return [`${file} requires packages, too; ${chosen?.file} was taken.`];
}
