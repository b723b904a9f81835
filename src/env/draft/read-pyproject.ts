import { parse, type TomlTable } from "smol-toml";
import { choosePython } from "./choose-python.ts";
import { readRequirementLines } from "./read-requirements.ts";
import { findPlace, loadText, refuseSource, type Source, type Taken } from "./source.ts";

const FILE = "pyproject.toml";

/** Reads `pyproject.toml`; null: there is none. @throws draft_unreadable */
export function readPyproject(folder: string): Source | null {
  const text = loadText(folder, FILE);
  if (text === null) return null;
  const table = parseToml(text);
  const project = getTable(table, "project");
  const dependencies = listTexts(project["dependencies"]).map((named) => ({
    text: named,
    from: findPlace(FILE, text, named),
  }));
  const read = readRequirementLines(folder, dependencies, FILE);
  const own =
    table["build-system"] === undefined
      ? []
      : [{ text: "-e .", from: findPlace(FILE, text, "[build-system]") }];
  return {
    ...read,
    base: findBase(project["requires-python"], text),
    editables: [...read.editables, ...own],
    warnings: [...read.warnings, ...listUntaken(table, project)],
  };
}

function parseToml(text: string): TomlTable {
  try {
    return parse(text);
  } catch (fault) {
    throw refuseSource(FILE, fault);
  }
}

function findBase(required: unknown, text: string): Taken | null {
  if (typeof required !== "string") return null;
  const python = choosePython(required);
  const from = `${findPlace(FILE, text, "requires-python")} asks for ${required}`;
  return python === null ? null : { text: `python:${python}`, from };
}

function listUntaken(table: TomlTable, project: TomlTable): string[] {
  const extras = Object.keys(getTable(project, "optional-dependencies"));
  const poetry = getTable(getTable(table, "tool"), "poetry");
  return [
    ...(extras.length === 0
      ? []
      : [`${FILE}: the optional dependencies ${extras.join(", ")} are not taken.`]),
    ...(listTexts(project["dynamic"]).includes("dependencies")
      ? [`${FILE}: its build finds the dependencies; they come with \`-e .\`, and no phase pins them.`]
      : []),
    ...(poetry["dependencies"] === undefined
      ? []
      : [
          `${FILE}: dependencies in Poetry's own form are not read; write them out with \`poetry export\` first.`,
        ]),
  ];
}

function getTable(table: TomlTable, key: string): TomlTable {
  const value = table[key];
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date)
    ? (value as TomlTable)
    : {};
}

function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
