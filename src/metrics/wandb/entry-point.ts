import { findAll, lineOf, listStatements, nameCall, type PythonNode } from "./python-tree.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";

/** How a script begins: under `if __name__ == "__main__":`, from its first line, or only by what imports it. */
export interface EntryPoint {
  kind: "main_guard" | "module" | "import_only";
  line: number;
  /** The function that the guard calls to train. */
  calls: string | null;
}

/** `goals` are the scopes that train. */
export function findEntry(outline: ScriptOutline, goals: ScriptScope[]): EntryPoint {
  const guard = findGuard(outline.root);
  if (guard) {
    const calls = findGuardedScope(outline, guard, goals)?.name ?? null;
    return { kind: "main_guard", line: lineOf(guard), calls };
  }
  const isRun = goals.length === 0 || goals.some((goal) => outline.reaches(outline.module, goal));
  return { kind: isRun ? "module" : "import_only", line: 1, calls: null };
}

/** The statement `if __name__ == "__main__":`. */
export function findGuard(root: PythonNode): PythonNode | null {
  return listStatements(root).find(isGuard) ?? null;
}

function isGuard(statement: PythonNode): boolean {
  const condition = statement.type === "if_statement" ? statement.childForFieldName("condition") : null;
  return /\b__name__\b/.test(condition?.text ?? "");
}

/** The function that the guard calls and that leads to the training. */
export function findGuardedScope(
  outline: ScriptOutline,
  guard: PythonNode,
  goals: ScriptScope[],
): ScriptScope | null {
  const names = findAll(guard, "call").map((call) => nameCall(call).path);
  const called = outline.functions.filter(({ name }) => names.includes(name));
  return called.find((scope) => goals.some((goal) => outline.reaches(scope, goal))) ?? null;
}
