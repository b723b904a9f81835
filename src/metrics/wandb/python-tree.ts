import { createRequire } from "node:module";
import type { Node } from "web-tree-sitter";
import { SortieError } from "../../base/error.ts";

/** How the parts of this folder see a script: a node of its syntax tree. */
export type PythonNode = Node;

const BLOCKS = ["block", "module"];
const SCOPES = ["function_definition", "class_definition", "lambda"];

/** Parses Python and hands the tree's root to `read`; the tree is freed afterwards, so no node may leave `read`. */
export async function parsePython<Result>(text: string, read: (root: PythonNode) => Result): Promise<Result> {
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init();
  const require = createRequire(import.meta.url);
  const grammar = require.resolve("tree-sitter-python/tree-sitter-python.wasm");
  const parser = new Parser().setLanguage(await Language.load(grammar));
  const tree = parser.parse(text);
  try {
    if (tree === null) throw new SortieError("internal", { reason: "the Python parser gave no tree" });
    return read(tree.rootNode);
  } finally {
    tree?.delete();
    parser.delete();
  }
}

/** Every node below `node` of one of these types, in the order of the text. */
export function findAll(node: PythonNode, types: string | string[]): PythonNode[] {
  return node.descendantsOfType(types).filter((found) => found !== null);
}

/** The same, but not inside functions, classes and lambdas that are defined below `node`. */
export function findOwn(node: PythonNode, types: string | string[]): PythonNode[] {
  const scope = findScope(node, SCOPES);
  const own = SCOPES.includes(node.type) ? node : scope;
  return findAll(node, types).filter((found) => findScope(found, SCOPES)?.id === own?.id);
}

/** The nearest node around `node` of one of these types; null: none. */
export function findScope(node: PythonNode, types: string[]): PythonNode | null {
  for (let around = node.parent; around !== null; around = around.parent)
    if (types.includes(around.type)) return around;
  return null;
}

/** Each block of statements around `node` with the one that holds `node`, the nearest first, within one function. */
export function listAround(node: PythonNode): { block: PythonNode; statement: PythonNode }[] {
  const around: { block: PythonNode; statement: PythonNode }[] = [];
  for (let at = node; at.parent !== null && !SCOPES.includes(at.type); at = at.parent)
    if (BLOCKS.includes(at.parent.type) && at.type !== "case_clause")
      around.push({ block: at.parent, statement: at });
  return around;
}

export function listStatements(block: PythonNode): PythonNode[] {
  return block.namedChildren.filter((child) => child !== null && child.type !== "comment") as PythonNode[];
}

export function isWithin(node: PythonNode, outer: PythonNode): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** The line as people count, from 1. */
export function lineOf(node: PythonNode): number {
  return node.startPosition.row + 1;
}

/** What is called, `a.b.c` as text, and its last part `c`; both are empty where a call's result is called. */
export function nameCall(call: PythonNode): { path: string; name: string; receiver: PythonNode | null } {
  const callee = call.childForFieldName("function");
  if (callee?.type === "identifier") return { path: callee.text, name: callee.text, receiver: null };
  if (callee?.type === "attribute") {
    const name = callee.childForFieldName("attribute")?.text ?? "";
    return { path: callee.text, name, receiver: callee.childForFieldName("object") };
  }
  return { path: "", name: "", receiver: null };
}

/** The positional arguments of a call. */
export function listArguments(call: PythonNode): PythonNode[] {
  const all = call.childForFieldName("arguments");
  if (all === null || all.type !== "argument_list") return [];
  return listStatements(all).filter((argument) => argument.type !== "keyword_argument");
}

export function findKeyword(call: PythonNode, name: string): PythonNode | null {
  const all = call.childForFieldName("arguments");
  if (all === null) return null;
  const found = listStatements(all).find(
    (argument) => argument.type === "keyword_argument" && argument.childForFieldName("name")?.text === name,
  );
  return found?.childForFieldName("value") ?? null;
}

/** The content of a plain string literal; null for anything else. */
export function readString(node: PythonNode | null): string | null {
  if (node?.type !== "string" || findAll(node, "interpolation").length > 0) return null;
  return findAll(node, "string_content")
    .map(({ text }) => text)
    .join("");
}
