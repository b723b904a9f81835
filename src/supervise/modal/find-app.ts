import { readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { findAppArguments } from "../../targets/modal/run-modal.ts";
import type { ChosenTarget } from "../choose-target.ts";
import { findStart, type ModalAppFile, type ModalStart, readModalApp } from "./read-app.ts";

/** The file that `modal_app` names, and what becomes of it. */
export type FoundApp = OwnApp | PlainScript;

interface AppPlace {
  /** As `modal run`, or the command, names it in the folder of the run. */
  readonly app: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

export interface OwnApp extends AppPlace {
  readonly kind: "own app";
  readonly start: ModalStart;
  readonly args: readonly string[];
}

export interface PlainScript extends AppPlace {
  readonly kind: "launcher";
  /** What runs in the container. */
  readonly command: readonly string[];
}

/**
 * What a target's `modal_app` is: a Modal app of its own, which gets what of the command is not `python APP`, or a plain
 * script, which is run as the command says. @throws modal_app_open, modal_app_missing, modal_app_unclear, modal_command_other
 */
export async function findApp(
  { section, projectFolder }: ChosenTarget,
  { cwd, command }: { readonly cwd: string; readonly command: readonly string[] },
): Promise<FoundApp> {
  const named = section.modal?.app ?? null;
  const place = { target: section.name, file: section.source.file ?? "" };
  if (named === null) throw new SortieError("modal_app_open", place);
  const isModule = !/[/]|\.py$/.test(named);
  const file = isModule ? `${named.replaceAll(".", "/")}.py` : named;
  const path = resolve(projectFolder, file);
  const text = readApp(path, { app: named, ...place });
  const below = relative(cwd, path);
  const script = below.startsWith("..") || isAbsolute(below) ? path : below;
  const app = isModule && dirname(script) === "." ? named : script;
  const read = await readModalApp(text);
  if (read === null)
    return { kind: "launcher", app: script, path, text, command: makeCommand(command, script) };
  const other = findOtherScript(command, script);
  if (other !== null)
    throw new SortieError("modal_command_other", { script: other, app: named, target: section.name });
  const start = chooseStart(read, named, section.modal?.function ?? null);
  return { kind: "own app", app, path, text, start, args: findAppArguments(command, script) };
}

function readApp(path: string, words: Readonly<Record<string, string>>): string {
  try {
    return readFileSync(path, "utf8");
  } catch (fault) {
    throw new SortieError("modal_app_missing", { ...words, reason: describeFault(fault) });
  }
}

/** Options alone, and the script alone, are what its Python gets. */
function makeCommand(command: readonly string[], app: string): readonly string[] {
  const [first = ""] = command;
  if (first.startsWith("-")) return ["python", app, ...command];
  return first.replace(/^\.\//, "") === app ? ["python", app, ...command.slice(1)] : command;
}

function findOtherScript([program = "", script = ""]: readonly string[], app: string): string | null {
  const isPython = /^(?:.*\/)?python[\d.]*$/.test(program);
  return isPython && script.endsWith(".py") && script.replace(/^\.\//, "") !== app ? script : null;
}

function chooseStart(read: ModalAppFile, app: string, name: string | null): ModalStart {
  const start = findStart(read, name);
  if (start !== null) return start;
  const names = [...read.entryPoints, ...read.functions].map((entry) => entry.name);
  const many = `it has ${names.join(", ") || "no function at all"}`;
  const reason = name === null ? many : `it has no ${name}`;
  throw new SortieError("modal_app_unclear", { app, reason, names: names.join(", ") || "there is none" });
}
