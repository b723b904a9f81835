import { findAll, lineOf, type PythonNode } from "./python-tree.ts";

/** Why a text cannot be read as a Python 3 script. `line` counts from 1. */
export interface ScriptProblem {
  kind: "notebook" | "python2" | "syntax" | "line_ends";
  line: number;
  reason: string;
}

/** What is wrong with a text before it is parsed: it is a notebook, or has the line ends of old Macs. */
export function findFormatProblem(text: string): ScriptProblem | null {
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

function findFirstError(node: PythonNode): PythonNode {
  if (node.isError || node.isMissing) return node;
  const inside = node.children.find((child) => child?.hasError || child?.isMissing);
  return inside ? findFirstError(inside) : node;
}
