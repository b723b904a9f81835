import { findAll, lineOf, nameCall, type PythonNode } from "./python-tree.ts";
import { makeHanded, type ScriptArguments } from "./script-arguments.ts";
import { listTargets, type ScriptOutline, type ScriptScope } from "./script-outline.ts";

const PARSE =
  /^(parse_args|parse_known_args|parse_args_into_dataclasses|parse_intermixed_args|parse_args_and_config)$/;

/** `args = parser.parse_args()`, also through a function of the script that gives it back or is given it. */
export function findParsed(outline: ScriptOutline): ScriptArguments | null {
  const calls = findAll(outline.root, "call");
  const parses = calls.filter(
    (call) =>
      PARSE.test(nameCall(call).name) ||
      /^(tyro\.cli|simple_parsing\.parse|pyrallis\.parse|tap)$/.test(nameCall(call).path),
  );
  const makers = outline.functions.filter((scope) =>
    parses.some((call) => outline.scopeOf(call) === scope && isGivenBack(call, scope)),
  );
  const outside = calls.filter((call) => !makers.includes(outline.scopeOf(call)));
  const handed = outside.filter((call) => makers.some(({ name }) => nameCall(call).name === name));
  for (const call of [...handed, ...parses.filter((parse) => outside.includes(parse))]) {
    const found = findAssigned(outline, call) ?? findHanded(outline, call);
    if (found) return found;
  }
  return null;
}

/** Whether a function returns what it parsed. */
function isGivenBack(call: PythonNode, scope: ScriptScope): boolean {
  const returned = findAll(scope.node, "return_statement");
  const target = findTarget(call)?.name;
  return returned.some(
    (statement) =>
      statement.text.includes(call.text) ||
      (target !== undefined && new RegExp(`\\b${target}\\b`).test(statement.text)),
  );
}

function findTarget(call: PythonNode): { name: string; config: string; statement: PythonNode } | null {
  const assignment = call.parent;
  if (assignment?.type !== "assignment" || assignment.parent?.type !== "expression_statement") return null;
  const left = assignment.childForFieldName("left");
  const names = left ? listTargets(left).map(({ text }) => text) : [];
  const [first] = names;
  if (first === undefined) return null;
  const isSeveral =
    names.length > 1 && /^parse_args_(into_dataclasses|and_config)$/.test(nameCall(call).name);
  const config = isSeveral ? `(${names.join(", ")})` : first;
  return { name: first, config, statement: assignment.parent };
}

function findAssigned(outline: ScriptOutline, call: PythonNode): ScriptArguments | null {
  const target = findTarget(call);
  if (target === null) return null;
  return {
    kind: "argparse",
    text: target.name,
    config: target.config,
    line: lineOf(call),
    scope: outline.scopeOf(call),
    statement: target.statement,
  };
}

/** `main(parse_args())`: the arguments are the first parameter of `main`. */
function findHanded(outline: ScriptOutline, call: PythonNode): ScriptArguments | null {
  const outer = call.parent?.type === "argument_list" ? call.parent.parent : null;
  if (outer?.type !== "call") return null;
  const scope = outline.functions.find(({ name }) => name === nameCall(outer).name);
  const first = scope?.parameters[0];
  if (!scope || !first) return null;
  return makeHanded(scope, "argparse", first);
}
