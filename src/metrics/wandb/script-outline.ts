import { findAll, findOwn, findScope, listStatements, nameCall, type PythonNode } from "./python-tree.ts";

/** A function of the script, or the module itself (`name` is empty then). */
export interface ScriptScope {
  name: string;
  node: PythonNode;
  body: PythonNode;
  parameters: string[];
  /** The decorators' texts, without `@`. */
  decorators: string[];
  /** Ends before its work is done when it is called: a generator or a coroutine. */
  isLazy: boolean;
  /** Names and `self.x` that are assigned or imported in it, its parameters too. */
  assigned: Set<string>;
  /** The last parts of what it calls. */
  calls: Set<string>;
}

/** The scopes of a script, and what can be asked of them. */
export interface ScriptOutline {
  root: PythonNode;
  module: ScriptScope;
  functions: ScriptScope[];
  /** The scope whose own statements `node` is among. */
  scopeOf(node: PythonNode): ScriptScope;
  /** Whether running `scope` may run `goal`, judged by the names of calls. */
  reaches(scope: ScriptScope, goal: ScriptScope): boolean;
  /** Whether the text of a name or of `self.x` means something in `scope`. */
  knows(scope: ScriptScope, name: string): boolean;
}

export function outlineScript(root: PythonNode): ScriptOutline {
  const module = makeScope(root);
  const functions = findAll(root, "function_definition").map(makeScope);
  const byId = new Map(functions.map((scope) => [scope.node.id, scope]));
  const scopeOf = (node: PythonNode) => {
    const around = findScope(node, ["function_definition"]);
    return (around && byId.get(around.id)) ?? module;
  };
  return {
    root,
    module,
    functions,
    scopeOf,
    reaches: (scope, goal) => isReached(functions, scope, goal),
    knows: (scope, name) => isKnown(scope, name, scopeOf),
  };
}

function makeScope(node: PythonNode): ScriptScope {
  const isModule = node.type === "module";
  const body = (isModule ? node : node.childForFieldName("body")) ?? node;
  const parameters = isModule ? [] : listParameters(node);
  const decorated = node.parent?.type === "decorated_definition" ? node.parent : null;
  return {
    name: node.childForFieldName("name")?.text ?? "",
    node,
    body,
    parameters,
    decorators: decorated
      ? listStatements(decorated)
          .filter(({ type }) => type === "decorator")
          .map(({ text }) => text.slice(1).trim())
      : [],
    isLazy: node.children[0]?.type === "async" || findOwn(node, "yield").length > 0,
    assigned: new Set([...parameters, ...listAssigned(node), ...listImported(node)]),
    calls: new Set(findOwn(node, "call").map((call) => nameCall(call).name)),
  };
}

function listParameters(node: PythonNode): string[] {
  const parameters = node.childForFieldName("parameters");
  if (parameters === null) return [];
  return listStatements(parameters).flatMap((parameter) => {
    const name = parameter.childForFieldName("name") ?? parameter;
    const first = name.type === "identifier" ? name : findAll(name, "identifier")[0];
    return first ? [first.text] : [];
  });
}

function listAssigned(node: PythonNode): string[] {
  const targets = [
    ...findOwn(node, ["assignment", "augmented_assignment", "for_statement"]).map((found) =>
      found.childForFieldName("left"),
    ),
    ...findOwn(node, "as_pattern_target"),
    ...findOwn(node, "named_expression").map((found) => found.childForFieldName("name")),
    ...findOwn(node, ["function_definition", "class_definition"]).map((found) =>
      found.childForFieldName("name"),
    ),
  ];
  return targets.flatMap((target) => (target ? listTargets(target).map(({ text }) => text) : []));
}

/** The names and attributes that an assignment's left side sets: `a`, `self.b`, `(c, [d])`. */
export function listTargets(target: PythonNode): PythonNode[] {
  if (target.type === "identifier" || target.type === "attribute") return [target];
  if (/^(pattern_list|tuple_pattern|list_pattern|as_pattern_target|list_splat_pattern)$/.test(target.type))
    return listStatements(target).flatMap(listTargets);
  return [];
}

function listImported(node: PythonNode): string[] {
  return findOwn(node, ["import_statement", "import_from_statement"]).flatMap((statement) =>
    statement.childrenForFieldName("name").flatMap((name) => {
      const alias = name?.childForFieldName("alias") ?? name;
      return alias ? [alias.text.split(".")[0] ?? ""] : [];
    }),
  );
}

function isReached(functions: ScriptScope[], scope: ScriptScope, goal: ScriptScope): boolean {
  const seen = new Set<ScriptScope>();
  const open = [scope];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === goal) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    const { calls } = at;
    open.push(...functions.filter(({ name }) => calls.has(name)));
  }
  return false;
}

function isKnown(scope: ScriptScope, name: string, scopeOf: (node: PythonNode) => ScriptScope): boolean {
  const first = name.split(".")[0] ?? name;
  // An attribute of `self` may be set by any method of the class.
  if (first === "self") return scope.assigned.has("self");
  for (let at = scope; ; at = scopeOf(at.node)) {
    if (at.assigned.has(first)) return true;
    if (at.name === "" && at.node.type === "module") return false;
  }
}
