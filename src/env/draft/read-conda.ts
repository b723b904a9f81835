import { parse } from "yaml";
import { choosePython } from "./choose-python.ts";
import { readRequirementLines } from "./read-requirements.ts";
import { findPlace, loadText, refuseSource, type Source, type Taken } from "./source.ts";

const FILES = ["environment.yml", "environment.yaml"];

/** The name that conda's file has in this folder; null: there is none. @throws draft_unreadable */
export function findCondaFile(folder: string): string | null {
  return FILES.find((name) => loadText(folder, name) !== null) ?? null;
}

/**
 * Reads conda's file, as `findCondaFile` gives it: its Python and its pip part. Other packages of conda are notes, since a
 * spec installs by pip. null: it is not there. @throws draft_unreadable
 */
export function readConda(folder: string, file: string): Source | null {
  const text = loadText(folder, file);
  if (text === null) return null;
  const take = (named: string): Taken => ({ text: named, from: findPlace(file, text, named) });
  const dependencies = listDependencies(text, file);
  const packages = dependencies.filter((entry) => typeof entry === "string").map(take);
  const pip = dependencies.flatMap(listPip).map(take);
  const python = packages.find(({ text }) => /^(\S+::)?python\s*([=<>!~]|$)/.test(text));
  const notes = packages.filter((entry) => entry !== python && !/^(\S+::)?pip\b/.test(entry.text));
  const read = readRequirementLines(folder, pip, file);
  return {
    ...read,
    base: chooseBase(python, file),
    notes,
    warnings: [...read.warnings, ...warn(notes, file)],
  };
}

function listDependencies(text: string, file: string): unknown[] {
  try {
    const document: unknown = parse(text);
    const { dependencies } = (document ?? {}) as { dependencies?: unknown };
    return Array.isArray(dependencies) ? dependencies : [];
  } catch (fault) {
    throw refuseSource(file, fault);
  }
}

function listPip(entry: unknown): string[] {
  const { pip } = (entry ?? {}) as { pip?: unknown };
  return Array.isArray(pip) ? pip.filter((line) => typeof line === "string") : [];
}

/** conda's `=3.11` means any 3.11, and a third part is a build. */
function chooseBase(python: Taken | undefined, file: string): Taken {
  const wanted = python?.text.replace(/^(\S+::)?python\s*/, "") ?? "";
  const exact = /^={1,2}\s*(\d+(?:\.\d+){0,2})(?:\.\*)?(?:=.*)?$/.exec(wanted)?.[1];
  const version = exact ?? choosePython(wanted);
  return { text: version === null ? "conda" : `conda:${version}`, from: python?.from ?? file };
}

function warn(notes: readonly Taken[], file: string): string[] {
  if (notes.length === 0) return [];
  const names = notes.map(({ text }) => text).join(", ");
  return [`${file}: packages of conda are not part of a specification, and stand in it as notes: ${names}.`];
}
