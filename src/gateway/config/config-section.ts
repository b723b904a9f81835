import { findLikely } from "../../base/nearest.ts";
import { quoteInput } from "../../base/quote-input.ts";
import type { ValueProblem, ValueReader } from "./value-readers.ts";
import type { YamlTree } from "./yaml-tree.ts";

/** Something wrong in the file: where, with which key, what, and what to write. */
export interface ConfigFault {
  readonly line: number;
  /** `boards.manip.steps`; empty: the file as a whole. */
  readonly key: string;
  readonly problem: string;
  readonly advice: string;
}

/** A mapping whose keys are all known; what is wrong is gathered, and reading goes on. */
export interface Section {
  readonly line: number;
  readonly path: string;
  readonly values: ReadonlyMap<string, YamlTree>;
  readonly faults: ConfigFault[];
}

/** `known`: the keys that may stand there; undefined: any. */
export function openSection(
  tree: YamlTree,
  path: string,
  known: readonly string[] | undefined,
  faults: ConfigFault[],
): Section {
  const values = new Map<string, YamlTree>();
  const { line } = tree;
  if (tree.kind !== "map" && tree.kind !== "nothing")
    faults.push({ line, key: path, problem: "must hold lines `key: value`", advice: listKeys(known) });
  for (const entry of tree.kind === "map" ? tree.entries : []) {
    const key = joinPath(path, entry.key);
    const problem = findKeyProblem(entry.key, known, values);
    if (problem) faults.push({ line: entry.line, key, ...problem });
    else values.set(entry.key, entry.value);
  }
  return { line, path, values, faults };
}

/** The section below a key; an empty one where it is not there. */
export function openBelow(section: Section, key: string, known: readonly string[] | undefined): Section {
  const tree = section.values.get(key) ?? { kind: "nothing", line: section.line };
  return openSection(tree, joinPath(section.path, key), known, section.faults);
}

/** The value of a key; `fallback` where it is not there, and where it is wrong, which is a fault then. */
export function readKey<Value, Fallback extends Value | undefined>(
  section: Section,
  key: string,
  reader: ValueReader<Value>,
  fallback: Fallback,
): Value | Fallback {
  const tree = section.values.get(key);
  if (tree === undefined || tree.kind === "nothing") return fallback;
  return readTree(tree, joinPath(section.path, key), reader, section.faults) ?? fallback;
}

/** One or several values in a list. */
export function readListKey<Value>(
  section: Section,
  key: string,
  reader: ValueReader<Value>,
  fallback: readonly Value[],
): readonly Value[] {
  const tree = section.values.get(key);
  if (tree === undefined || tree.kind === "nothing") return fallback;
  const path = joinPath(section.path, key);
  const items = tree.kind === "list" ? tree.items : [tree];
  if (items.length === 0) addFault(section, key, "is empty", "name at least one");
  return items.flatMap((item) => readTree(item, path, reader, section.faults) ?? []);
}

export function addFault(section: Section, key: string, problem: string, advice: string): void {
  const line = section.values.get(key)?.line ?? section.line;
  section.faults.push({ line, key: joinPath(section.path, key), problem, advice });
}

function joinPath(path: string, key: string): string {
  const shown = /^[\w -]{1,60}$/.test(key) ? key : quoteInput(key);
  return path === "" ? shown : `${path}.${shown}`;
}

function readTree<Value>(
  tree: YamlTree,
  key: string,
  reader: ValueReader<Value>,
  faults: ConfigFault[],
): Value | undefined {
  const read = tree.kind === "text" ? reader(tree.text) : reader("");
  if ("value" in read && tree.kind === "text") return read.value;
  const advice = "advice" in read ? read.advice : "write one value";
  const shown =
    tree.kind === "text" && "problem" in read ? `${quoteInput(tree.text)} ${read.problem}` : undefined;
  faults.push({ line: tree.line, key, problem: shown ?? "must be one value", advice });
  return undefined;
}

function findKeyProblem(
  key: string,
  known: readonly string[] | undefined,
  values: ReadonlyMap<string, YamlTree>,
): ValueProblem | undefined {
  if (values.has(key)) return { problem: "is written twice", advice: "keep one of them" };
  if (known === undefined || known.includes(key)) return undefined;
  const nearest = findLikely(key, known);
  const advice = nearest ? `did you mean ${nearest}?` : listKeys(known);
  return { problem: "is no key that is known here", advice };
}

function listKeys(known: readonly string[] | undefined): string {
  return known === undefined
    ? "write a name, a colon, and what belongs to it"
    : `known are ${known.join(", ")}`;
}
