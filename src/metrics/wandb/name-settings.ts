import { isEvalFunction } from "./metric-names.ts";
import { findAll, isWithin, listAround, nameCall, type PythonNode } from "./python-tree.ts";
import { listTargets, type ScriptOutline, type ScriptScope } from "./script-outline.ts";
import { findLastStatement } from "./training-signals.ts";

/** One statement that sets a name. */
export interface Setting {
  name: string;
  block: PythonNode;
  statement: PythonNode;
  scope: ScriptScope;
  /** Begun with a constant, computed, or changed by what it was. */
  kind: "computed" | "begun" | "changed";
  /** Set by the call of a function that evaluates. */
  byEvaluation: boolean;
  /** The statement sets no other name. */
  isOnly: boolean;
}

/** All statements of a script that set names, in the order of the text; not those of class bodies. */
export function listSettings(outline: ScriptOutline): Setting[] {
  const found = findAll(outline.root, ["assignment", "augmented_assignment"]);
  return found.flatMap((assignment) => readSettings(outline, assignment));
}

function readSettings(outline: ScriptOutline, found: PythonNode): Setting[] {
  const left = found.childForFieldName("left");
  const right = found.childForFieldName("right");
  const around = listAround(found)[0];
  if (!left || !right || !around || around.block.parent?.type === "class_definition") return [];
  const targets = listTargets(left).map(({ text }) => text);
  const call = right.type === "await" ? right.namedChildren[0] : right;
  const byEvaluation = call?.type === "call" && isEvalFunction(nameCall(call).name);
  return targets.map((name) => ({
    name,
    ...around,
    scope: outline.scopeOf(found),
    kind: judgeSetting(found, right, name),
    byEvaluation,
    isOnly: targets.length === 1,
  }));
}

function judgeSetting(found: PythonNode, right: PythonNode, name: string): Setting["kind"] {
  if (found.type === "augmented_assignment") return "changed";
  const values = right.type === "expression_list" ? right.namedChildren : [right];
  if (values.every(isConstant)) return "begun";
  const operand = right.type === "binary_operator" ? right.childForFieldName("left")?.text : undefined;
  return operand === name ? "changed" : "computed";
}

/** `0`, `None`, `[]`, `-1`, `float("inf")`. */
function isConstant({ type, text }: PythonNode): boolean {
  return (
    /^(integer|float|none|unary_operator|list|true|false|dictionary)$/.test(type) || /^float\(["']/.test(text)
  );
}

/** Where a name gets its value: computed, or begun with a constant and then changed in a loop. */
export function isOrigin(setting: Setting, all: Setting[]): boolean {
  const same = all.filter(({ name, scope }) => name === setting.name && scope === setting.scope);
  if (setting.kind === "computed") return true;
  if (setting.kind === "changed" || same.some(({ kind }) => kind === "computed")) return false;
  return same.some(
    (other) =>
      other.kind === "changed" &&
      isWithin(other.block, setting.block) &&
      other.statement.startIndex > setting.statement.startIndex,
  );
}

/** The last statement of the block that sets the name, in itself or in a loop below it. */
export function findLast({ name, block, statement, scope }: Setting, all: Setting[]): PythonNode {
  const others = all.filter(
    (other) => other.name === name && other.scope === scope && isWithin(other.statement, block),
  );
  return (
    findLastStatement(
      others.map((other) => other.statement),
      block,
    ) ?? statement
  );
}
