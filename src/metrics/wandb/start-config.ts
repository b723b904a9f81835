import { findAll, listAround, listStatements, nameCall, type PythonNode } from "./python-tree.ts";
import type { ScriptArguments } from "./script-arguments.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";

const GIVEN = /^(args|cfg|config|conf|hparams|opt|opts|params)$/;

/** What a function knows of the configuration, as an expression: a parameter, else the module's constants. */
export function findConfig(outline: ScriptOutline, scope: ScriptScope, args: ScriptArguments | null): string {
  const given = scope.parameters.find((name) => name === args?.text || GIVEN.test(name));
  return given ?? listConstants(outline, scope.node);
}

/** Numbers, strings and booleans that the module sets once, and before `place` is run: `{"LR": LR, "EPOCHS": EPOCHS}`. */
export function listConstants(outline: ScriptOutline, place: PythonNode): string {
  const scope = outline.functions.find(({ node }) => node.id === place.id);
  const end = scope ? findCall(outline, scope) : place;
  const settings = findAll(outline.root, ["assignment", "augmented_assignment"]);
  const set = settings.map((found) => found.childForFieldName("left")?.text);
  const names = listStatements(outline.root)
    .filter((statement) => end === null || statement.startIndex < end.startIndex)
    .flatMap(readConstant)
    .filter((name) => set.filter((other) => other === name).length === 1 && !scope?.assigned.has(name));
  return `{${names.map((name) => `"${name}": ${name}`).join(", ")}}`;
}

/** The first statement of the module that comes to run the function. */
function findCall(outline: ScriptOutline, scope: ScriptScope): PythonNode | null {
  const leading = outline.functions.filter((other) => outline.reaches(other, scope));
  const calls = findAll(outline.root, "call").filter(
    (call) =>
      outline.scopeOf(call) === outline.module && leading.some(({ name }) => name === nameCall(call).name),
  );
  return listAround(calls[0] ?? outline.root).at(-1)?.statement ?? null;
}

function readConstant(statement: PythonNode): string[] {
  const assignment = statement.namedChildren[0];
  const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : null;
  const right = assignment?.childForFieldName("right");
  const isConstant = /^(integer|float|string|true|false)$/.test(right?.type ?? "");
  return left?.type === "identifier" && isConstant && !left.text.startsWith("_") ? [left.text] : [];
}
