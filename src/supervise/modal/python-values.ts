import {
  findKeyword,
  listStatements,
  nameCall,
  type PythonNode,
  readString,
} from "../../metrics/wandb/python-tree.ts";

/** The names that a module gives values to, once each, outside functions; what is assigned twice is not known. */
export type Constants = ReadonlyMap<string, PythonNode>;

export function listConstants(root: PythonNode): Constants {
  const constants = new Map<string, PythonNode>();
  const doubled = new Set<string>();
  for (const statement of listStatements(root)) {
    const assignment = statement.type === "expression_statement" ? statement.namedChild(0) : null;
    const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : null;
    const right = assignment?.childForFieldName("right") ?? null;
    if (left?.type !== "identifier" || right === null) continue;
    if (constants.has(left.text)) doubled.add(left.text);
    constants.set(left.text, right);
  }
  for (const name of doubled) constants.delete(name);
  return constants;
}

/** The expression that a name of the module stands for, or the expression itself. */
function resolveName(node: PythonNode | null, constants: Constants, depth = 0): PythonNode | null {
  if (node?.type !== "identifier" || depth > 8) return node;
  return resolveName(constants.get(node.text) ?? null, constants, depth + 1);
}

/** A number, or a sum, difference or product of numbers (`10 * MINUTES`); null: something else. */
export function readNumber(given: PythonNode | null, constants: Constants): number | null {
  const node = resolveName(given, constants);
  if (node?.type === "integer" || node?.type === "float") return Number(node.text.replaceAll("_", ""));
  if (node?.type === "parenthesized_expression") return readNumber(node.namedChild(0), constants);
  if (node?.type !== "binary_operator") return null;
  const left = readNumber(node.childForFieldName("left"), constants);
  const right = readNumber(node.childForFieldName("right"), constants);
  if (left === null || right === null) return null;
  const operator = node.childForFieldName("operator")?.text;
  if (operator === "*") return left * right;
  if (operator === "+") return left + right;
  return operator === "-" ? left - right : null;
}

/** A string, or a list or tuple of strings; null: something else. */
export function readStrings(given: PythonNode | null, constants: Constants): string[] | null {
  const node = resolveName(given, constants);
  const one = readString(node);
  if (one !== null) return [one];
  if (node?.type !== "list" && node?.type !== "tuple") return null;
  const all = listStatements(node).map((item) => readString(resolveName(item, constants)));
  return all.includes(null) ? null : (all as string[]);
}

/** The names in `Volume.from_name("…")` anywhere in an expression, names of the module followed. */
export function listNamed(given: PythonNode | null, kind: string, constants: Constants): string[] {
  if (given === null) return [];
  const names: string[] = [];
  const seen = new Set<number>();
  const visit = (node: PythonNode) => {
    const resolved = resolveName(node, constants);
    if (resolved === null || seen.has(resolved.id)) return;
    seen.add(resolved.id);
    const name = resolved.type === "call" ? readFromName(resolved, kind, constants) : null;
    if (name !== null) names.push(name);
    else for (const child of resolved.namedChildren) if (child !== null) visit(child);
  };
  visit(given);
  return [...new Set(names)];
}

function readFromName(call: PythonNode, kind: string, constants: Constants): string | null {
  if (!nameCall(call).path.endsWith(`${kind}.from_name`)) return null;
  const args = call.childForFieldName("arguments");
  const given = findKeyword(call, "name") ?? args?.namedChild(0) ?? null;
  return readString(resolveName(given, constants));
}
