import { isMarked } from "./marks.ts";
import { findAll, lineOf, type PythonNode } from "./python-tree.ts";

/** Why a text cannot be read as a Python 3 script. `line` counts from 1. */
export interface ScriptProblem {
  kind: "notebook" | "python2" | "syntax" | "line_ends" | "size" | "marks";
  line: number;
  reason: string;
}

const MOST_CHARACTERS = 2_000_000;

/** What is wrong with a text before it is parsed: it is a notebook, or has the line ends of old Macs. */
export function findFormatProblem(text: string): ScriptProblem | null {
  if (text.length > MOST_CHARACTERS)
    return {
      kind: "size",
      line: 1,
      reason: `this is longer than ${MOST_CHARACTERS} characters: no script is`,
    };
  if (isNotebook(text))
    return {
      kind: "notebook",
      line: 1,
      reason: "this is a notebook (.ipynb), not a script: export it with `jupyter nbconvert --to script`",
    };
  const lone = /\r(?!\n)/.exec(text);
  if (lone === null) return null;
  const line = text.slice(0, lone.index).split("\n").length;
  return { kind: "line_ends", line, reason: "this line ends by a lone carriage return" };
}

/** The first thing in the tree that is Python 2, or no Python at all. */
export function findSyntaxProblem(root: PythonNode): ScriptProblem | null {
  return findPython2(root) ?? findError(root);
}

function isNotebook(text: string): boolean {
  if (!/^\s*\{/.test(text) || !text.includes('"nbformat"')) return false;
  try {
    return Array.isArray((JSON.parse(text) as { cells?: unknown }).cells);
  } catch {
    return false; // no JSON, so no notebook: the parser says what is wrong
  }
}

function findPython2(root: PythonNode): ScriptProblem | null {
  const print = findAll(root, "print_statement")[0];
  const exec = findAll(root, "exec_statement")[0];
  const except = findAll(root, "except_clause").find(isOldExcept);
  const nodes = [print, exec, except].filter((node) => node !== undefined);
  const first = nodes.sort((a, b) => a.startIndex - b.startIndex)[0];
  if (first === undefined) return null;
  const what = first.text.split("\n")[0]?.trim() ?? "";
  return { kind: "python2", line: lineOf(first), reason: `this is Python 2: \`${what}\`` };
}

/** `except Error, name:` without `as` and without brackets. */
function isOldExcept(clause: PythonNode): boolean {
  return clause.childrenForFieldName("value").length > 1;
}

function findError(root: PythonNode): ScriptProblem | null {
  if (!root.hasError) return null;
  const first = findFirstError(root);
  const near = first.text.split("\n")[0]?.trim().slice(0, 60) ?? "";
  const reason = near === "" ? "this is no valid Python" : `this is no valid Python near \`${near}\``;
  return { kind: "syntax", line: lineOf(first), reason };
}

function findFirstError(root: PythonNode): PythonNode {
  let at = root;
  for (let next: PythonNode | undefined = root; next !== undefined; ) {
    at = next;
    const isEnd = at.isError || at.isMissing;
    next = isEnd ? undefined : at.children.find((child) => child.hasError || child.isMissing);
  }
  return at;
}

/** A line that ends like Sortie's own but is none: the mark is in a string, and the line would be taken out. */
export function findMarkProblem(root: PythonNode, text: string): ScriptProblem | null {
  const comments = new Set(findAll(root, "comment").map((comment) => comment.endPosition.row));
  const row = text.split("\n").findIndex((line, index) => isMarked(line) && !comments.has(index));
  if (row === -1) return null;
  return {
    kind: "marks",
    line: row + 1,
    reason: "this line ends like Sortie's own lines, but within a string",
  };
}
