import { type InsertionPoint, isDocstring, pointAfter } from "./insertion-point.ts";
import { listStatements, type PythonNode } from "./python-tree.ts";

/** After the imports with which the script begins, else after its docstring, else after its first comments. */
export function findHelperPoint(root: PythonNode, lines: string[]): InsertionPoint {
  const statements = listStatements(root);
  const rest = statements.findIndex((statement) => !isDocstring(statement) && !/import/.test(statement.type));
  const last = (rest === -1 ? statements : statements.slice(0, rest)).at(-1);
  const point = last && pointAfter(last, lines);
  if (point) return point;
  const row = lines.findIndex((line) => !/^\uFEFF?#/.test(line));
  return { row: Math.max(row, 0), indent: "" };
}
