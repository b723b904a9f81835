import type { ScriptArguments } from "./find-arguments.ts";
import type { TrainingLoop } from "./find-training.ts";
import {
  type InsertionPoint,
  isDocstring,
  pointAfter,
  pointAtStart,
  pointBefore,
} from "./insertion-point.ts";
import {
  findAll,
  isWithin,
  lineOf,
  listAround,
  listStatements,
  nameCall,
  type PythonNode,
} from "./python-tree.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";

/** Where a run of W&B starts and ends. */
export interface StartSite {
  at: InsertionPoint;
  /** What is handed over as its configuration, as an expression. */
  config: string;
  /** The parameter that holds the rank of a spawned process. */
  rank: string | null;
  /** Only where the file is the program: another process or file that imports it starts nothing. */
  isGuarded: boolean;
  /** Where it ends well: after a function that is decorated for it, after a statement; null: when the process ends. */
  end: { decorate: InsertionPoint } | { finish: InsertionPoint } | null;
}

/** How a script begins: under `if __name__ == "__main__":`, by a decorated function, or from its first line. */
export interface EntryPoint {
  kind: "main_guard" | "module" | "import_only";
  line: number;
  calls: string | null;
}

export function findEntry(outline: ScriptOutline, loops: TrainingLoop[]): EntryPoint {
  const guard = findGuard(outline.root);
  if (guard)
    return { kind: "main_guard", line: lineOf(guard), calls: findGuardedScope(outline, guard)?.name ?? null };
  const runs = loops.some(({ scope }) => outline.reaches(outline.module, scope));
  if (!runs && loops.length > 0) return { kind: "import_only", line: 1, calls: null };
  return { kind: "module", line: 1, calls: null };
}

export function findStart(
  outline: ScriptOutline,
  goals: ScriptScope[],
  first: PythonNode,
  args: ScriptArguments | null,
  lines: string[],
): StartSite | null {
  const worker = findWorker(outline, goals);
  if (worker) return startInFunction(worker, pickConfig(outline, worker, args), lines, findRank(worker));
  if (args?.statement) return startAfter(outline, args.statement, args.config, lines);
  if (args) return startInFunction(args.scope, args.config, lines, null);
  return startWithConstants(outline, goals, first, lines);
}

/** The function that a spawned process runs, where the training is reached from it. */
function findWorker(outline: ScriptOutline, goals: ScriptScope[]): ScriptScope | null {
  const given = findAll(outline.root, "call").flatMap((call) => {
    const { name } = nameCall(call);
    const all = call.childForFieldName("arguments");
    if (!all || !/^(spawn|start_processes|Process)$/.test(name)) return [];
    const target = listStatements(all).find(({ type, text }) =>
      name === "Process" ? /^target=/.test(text.replaceAll(" ", "")) : type === "identifier",
    );
    return target ? [target.text.replace(/^target\s*=\s*/, "")] : [];
  });
  return (
    outline.functions.find(
      (scope) => given.includes(scope.name) && goals.some((goal) => outline.reaches(scope, goal)),
    ) ?? null
  );
}

function findRank({ parameters }: ScriptScope): string | null {
  return (
    parameters.find((name) => /^(rank|local_rank|proc_id|gpu|process_index|worker_id|idx|i)$/.test(name)) ??
    null
  );
}

function pickConfig(outline: ScriptOutline, scope: ScriptScope, args: ScriptArguments | null): string {
  const given = scope.parameters.find(
    (name) => name === args?.text || /^(args|cfg|config|hparams|opt|opts|params)$/.test(name),
  );
  return given ?? makeConstants(outline, scope.node);
}

function startInFunction(
  scope: ScriptScope,
  config: string,
  lines: string[],
  rank: string | null,
): StartSite | null {
  const at = pointAtStart(scope.body, lines);
  return at && { at, config, rank, isGuarded: false, end: decorate(scope, lines) };
}

function decorate(scope: ScriptScope, lines: string[]): StartSite["end"] {
  if (scope.isLazy) return null;
  const point = pointBefore(scope.node, lines);
  return point && { decorate: point };
}

function startAfter(
  outline: ScriptOutline,
  statement: PythonNode,
  config: string,
  lines: string[],
): StartSite | null {
  const at = pointAfter(statement, lines);
  const scope = outline.scopeOf(statement);
  if (at === null) return null;
  if (scope !== outline.module)
    return { at, config, rank: null, isGuarded: false, end: decorate(scope, lines) };
  const around = listAround(statement);
  const isInGuard = around.some(({ statement: outer }) => outer.id === findGuard(outline.root)?.id);
  const block = around[0]?.block;
  return block ? { at, config, rank: null, isGuarded: !isInGuard, end: finishAfter(block, lines) } : null;
}

function finishAfter(block: PythonNode, lines: string[]): StartSite["end"] {
  const last = listStatements(block).at(-1);
  const point = last ? pointAfter(last, lines) : null;
  return point && { finish: point };
}

/** No arguments: the run starts where the script does, with the constants that it sets. */
function startWithConstants(
  outline: ScriptOutline,
  goals: ScriptScope[],
  first: PythonNode,
  lines: string[],
): StartSite | null {
  const guard = findGuard(outline.root);
  const main = guard && findGuardedScope(outline, guard);
  if (main && goals.some((goal) => outline.reaches(main, goal)) && countCalls(outline, main) === 1)
    return startInFunction(main, makeConstants(outline, main.node), lines, null);
  const body = guard?.childForFieldName("consequence");
  const start = body && listStatements(body)[0];
  if (body && start) {
    const at = pointBefore(start, lines);
    return (
      at && {
        at,
        config: makeConstants(outline, start),
        rank: null,
        isGuarded: false,
        end: finishAfter(body, lines),
      }
    );
  }
  if (!goals.some((goal) => outline.reaches(outline.module, goal))) return startLazily(outline, first, lines);
  const begin = listStatements(outline.root).find((statement) =>
    isOnTheWay(outline, statement, goals, first),
  );
  const at = begin ? pointBefore(begin, lines) : null;
  return begin && at
    ? {
        at,
        config: makeConstants(outline, begin),
        rank: null,
        isGuarded: true,
        end: finishAfter(outline.root, lines),
      }
    : null;
}

function countCalls({ root }: ScriptOutline, { name }: ScriptScope): number {
  return findAll(root, "call").filter((call) => nameCall(call).path === name).length;
}

function isOnTheWay(
  outline: ScriptOutline,
  statement: PythonNode,
  goals: ScriptScope[],
  first: PythonNode,
): boolean {
  if (/definition$/.test(statement.type)) return false;
  if (isWithin(first, statement)) return true;
  const calls = findAll(statement, "call").map((call) => nameCall(call).name);
  return outline.functions.some(
    (scope) => calls.includes(scope.name) && goals.some((goal) => outline.reaches(scope, goal)),
  );
}

/** A file that others import: the run starts with the first loop, unless the program has started one. */
function startLazily(outline: ScriptOutline, first: PythonNode, lines: string[]): StartSite | null {
  const outermost = listAround(first)
    .filter(({ statement }) => isWithin(first, statement))
    .at(-1)?.statement;
  const at = outermost ? pointBefore(outermost, lines) : null;
  return (
    at && {
      at,
      config: pickConfig(outline, outline.scopeOf(first), null),
      rank: null,
      isGuarded: false,
      end: null,
    }
  );
}

/** Numbers, strings and booleans that the module sets before `place`: `{"LR": LR, "EPOCHS": EPOCHS}`. */
function makeConstants(outline: ScriptOutline, place: PythonNode): string {
  const inFunction = place.type === "function_definition";
  const names = listStatements(outline.root)
    .filter((statement) => inFunction || statement.startIndex < place.startIndex)
    .flatMap((statement) => {
      const assignment = statement.namedChildren[0];
      const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : null;
      const right = assignment?.childForFieldName("right");
      const isConstant = /^(integer|float|string|true|false)$/.test(right?.type ?? "");
      return left?.type === "identifier" && isConstant && !left.text.startsWith("_") ? [left.text] : [];
    });
  return `{${[...new Set(names)].map((name) => `"${name}": ${name}`).join(", ")}}`;
}

function findGuard(root: PythonNode): PythonNode | null {
  return (
    listStatements(root).find(
      (statement) =>
        statement.type === "if_statement" &&
        /__name__/.test(statement.childForFieldName("condition")?.text ?? ""),
    ) ?? null
  );
}

function findGuardedScope(outline: ScriptOutline, guard: PythonNode): ScriptScope | null {
  const names = findAll(guard, "call").map((call) => nameCall(call).path);
  return (
    outline.functions.find(({ name, parameters }) => names.includes(name) && !parameters.includes("self")) ??
    null
  );
}

/** After the imports with which the script begins, else after its docstring, else before its first statement. */
export function findHelperPoint(root: PythonNode, lines: string[]): InsertionPoint {
  const statements = listStatements(root);
  const rest = statements.findIndex((statement) => !isDocstring(statement) && !/import/.test(statement.type));
  const head = rest === -1 ? statements : statements.slice(0, rest);
  const last = head.at(-1);
  if (last) return { row: last.endPosition.row + 1, indent: "" };
  const comments = lines.findIndex((line) => !/^\uFEFF?#/.test(line));
  return { row: Math.max(comments, 0), indent: "" };
}
