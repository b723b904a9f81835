import { listStatements, type PythonNode } from "./python-tree.ts";

/** A place for whole lines: before the line with index `row` (0: the first), indented as the lines around. */
export interface InsertionPoint {
  row: number;
  indent: string;
}

/** After a statement of a block; null where its line opens the block, `if x: y`, or leaves it, `x; return`. */
export function pointAfter(statement: PythonNode, lines: string[]): InsertionPoint | null {
  const indent = readIndent(findFirst(statement), lines);
  if (indent === null) return null;
  let last = statement;
  for (let next = last.nextNamedSibling; next !== null; next = next.nextNamedSibling) {
    if (next.type === "comment" || next.startPosition.row !== last.endPosition.row) break;
    if (isJump(next)) return null;
    last = next;
  }
  return { row: last.endPosition.row + 1, indent };
}

/** Before a statement of a block; null where its line opens the block. Decorators of a definition stay with it. */
export function pointBefore(statement: PythonNode, lines: string[]): InsertionPoint | null {
  const first = findFirst(statement);
  const indent = readIndent(first, lines);
  return indent === null ? null : { row: first.startPosition.row, indent };
}

/** At the start of a function's body, after its docstring. */
export function pointAtStart(body: PythonNode, lines: string[]): InsertionPoint | null {
  const first = listStatements(body)[0];
  if (first === undefined) return null;
  return isDocstring(first) ? pointAfter(first, lines) : pointBefore(first, lines);
}

export function isDocstring(statement: PythonNode): boolean {
  return statement.type === "expression_statement" && statement.namedChildren[0]?.type === "string";
}

/** A statement after which the next one is not run. */
export function isJump({ type }: PythonNode): boolean {
  return /^(return|break|continue|raise)_statement$/.test(type);
}

/** The statement with which the line begins that this one stands in: `a = (\n1); b` is such a line from `a` on. */
function findFirst(statement: PythonNode): PythonNode {
  let first = statement;
  for (let before = first.previousNamedSibling; before !== null; before = before.previousNamedSibling) {
    if (before.endPosition.row !== first.startPosition.row) break;
    first = before;
  }
  return first;
}

/** The white space before it; null where something else stands there. */
function readIndent({ startPosition }: PythonNode, lines: string[]): string | null {
  const { row, column } = startPosition;
  const indent = (lines[row] ?? "").slice(0, column).replace("\uFEFF", "");
  return /^[ \t\f]*$/.test(indent) ? indent : null;
}
