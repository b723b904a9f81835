import { findGuard, findGuardedScope } from "./entry-point.ts";
import { type InsertionPoint, pointAfter, pointAtStart, pointBefore } from "./insertion-point.ts";
import { findAll, isWithin, listAround, listStatements, nameCall, type PythonNode } from "./python-tree.ts";
import type { ScriptArguments } from "./script-arguments.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";
import { findConfig, listConstants } from "./start-config.ts";
import { findOwnLoop } from "./training-loop.ts";

/** Where a run of W&B starts and ends. */
export interface StartSite {
  at: InsertionPoint;
  /** What is handed over as its configuration, as an expression. */
  config: string;
  /** The parameter that holds the rank of a spawned process. */
  rank: string | null;
  /** Only where the file is the program: another process or file that imports it starts nothing. */
  isGuarded: boolean;
  /** Where it ends: with a function that is decorated for it, or after a statement; null: with the process. */
  end: { decorate: InsertionPoint } | { finish: InsertionPoint } | null;
}

/** A script with its lines, the scopes that train, and the first statement that does. */
export interface StartSearch {
  outline: ScriptOutline;
  lines: string[];
  goals: ScriptScope[];
  first: PythonNode;
}

/** The place where the arguments are there and the training has not begun; null: no line of its own is there. */
export function findStart(search: StartSearch, args: ScriptArguments | null): StartSite | null {
  const { outline } = search;
  const worker = findWorker(search);
  if (worker) return startIn(worker, findConfig(outline, worker, args), search, findRank(worker));
  if (args?.statement && isOnItsWay(args, search) && !isTrainedBeside(args.statement, search))
    return startAfter(args.statement, args.config, search);
  if (args && !args.statement) return startIn(args.scope, args.config, search);
  return startWithConstants(search);
}

/** Whether the statement that makes the arguments is run before the training: some other function may make them, too. */
function isOnItsWay({ kind, scope }: ScriptArguments, search: StartSearch): boolean {
  return kind === "argparse" || scope === search.outline.module || leadsOn(scope, search);
}

/** Whether the rest of the line trains: `args = parse(); train(args)` leaves no place between the two. */
function isTrainedBeside(statement: PythonNode, search: StartSearch): boolean {
  for (let at = statement; at.nextNamedSibling !== null; at = at.nextNamedSibling) {
    if (at.nextNamedSibling.startPosition.row !== at.endPosition.row) return false;
    if (isOnTheWay(at.nextNamedSibling, search)) return true;
  }
  return false;
}

/** The function that a spawned process runs, where it leads to the training. */
function findWorker(search: StartSearch): ScriptScope | null {
  const given = findAll(search.outline.root, "call").map(readSpawned);
  const found = search.outline.functions.find(
    (scope) => given.includes(scope.name) && leadsOn(scope, search),
  );
  return found ?? null;
}

/** `mp.spawn(worker, ...)` and `Process(target=worker, ...)`. */
function readSpawned(call: PythonNode): string | null {
  const { name } = nameCall(call);
  const given = call.childForFieldName("arguments");
  if (given === null || !/^(spawn|start_processes|Process)$/.test(name)) return null;
  const all = listStatements(given);
  if (name !== "Process") return all[0]?.text ?? null;
  const target = all.find((argument) => argument.childForFieldName("name")?.text === "target");
  return target?.childForFieldName("value")?.text ?? null;
}

function findRank({ parameters }: ScriptScope): string | null {
  return (
    parameters.find((name) => /^(rank|local_rank|proc_id|gpu|process_index|worker_id|i)$/.test(name)) ?? null
  );
}

function leadsOn(scope: ScriptScope, { outline, goals }: StartSearch): boolean {
  return goals.some((goal) => outline.reaches(scope, goal));
}

function startIn(
  scope: ScriptScope,
  config: string,
  search: StartSearch,
  rank: string | null = null,
): StartSite | null {
  const at = pointAtStart(scope.body, search.lines);
  return at && { at, config, rank, isGuarded: false, end: endWith(scope, search) };
}

/** A function that only reads the arguments, or gives its work back before it is done, ends too early; so does one of many turns. */
function endWith(scope: ScriptScope, search: StartSearch): StartSite["end"] {
  const calls = findAll(search.outline.root, "call").filter((call) => nameCall(call).name === scope.name);
  const isRepeated = calls.some((call) => findOwnLoop(call) !== null);
  if (scope.isLazy || isRepeated || !leadsOn(scope, search)) return null;
  const point = pointBefore(scope.node, search.lines);
  return point && { decorate: point };
}

function startAfter(statement: PythonNode, config: string, search: StartSearch): StartSite | null {
  const { outline, lines } = search;
  const at = pointAfter(statement, lines);
  const scope = outline.scopeOf(statement);
  const around = listAround(statement);
  const block = around[0]?.block;
  if (at === null || block === undefined) return null;
  if (scope !== outline.module)
    return { at, config, rank: null, isGuarded: false, end: endWith(scope, search) };
  const guard = findGuard(outline.root);
  const isGuarded = !around.some((outer) => outer.statement.id === guard?.id);
  return { at, config, rank: null, isGuarded, end: endAfter(isGuarded ? outline.root : block, lines) };
}

function endAfter(block: PythonNode, lines: string[]): StartSite["end"] {
  const last = listStatements(block).at(-1);
  const point = last ? pointAfter(last, lines) : null;
  return point && { finish: point };
}

/** No arguments: the run starts where the script comes to train, with the constants that it has set. */
function startWithConstants(search: StartSearch): StartSite | null {
  const { outline, lines, goals } = search;
  const guard = findGuard(outline.root);
  const main = guard && findGuardedScope(outline, guard, goals);
  if (main && countCalls(outline, main) === 1)
    return startIn(main, listConstants(outline, main.node), search);
  const body = guard?.childForFieldName("consequence");
  const start = body && listStatements(body)[0];
  if (body && start) {
    const at = pointBefore(start, lines);
    return (
      at && {
        at,
        config: listConstants(outline, start),
        rank: null,
        isGuarded: false,
        end: endAfter(body, lines),
      }
    );
  }
  const begin = listStatements(outline.root).find((statement) => isOnTheWay(statement, search));
  if (begin === undefined) return startInLibrary(search);
  const at = pointBefore(begin, lines);
  const config = listConstants(outline, begin);
  return at && { at, config, rank: null, isGuarded: true, end: endAfter(outline.root, lines) };
}

function countCalls({ root }: ScriptOutline, { name }: ScriptScope): number {
  return findAll(root, "call").filter((call) => nameCall(call).path === name).length;
}

/** A statement of the module that trains, or calls what does. */
function isOnTheWay(statement: PythonNode, search: StartSearch): boolean {
  if (/definition$/.test(statement.type)) return false;
  if (isWithin(search.first, statement)) return true;
  const calls = findAll(statement, "call").map((call) => nameCall(call).name);
  return search.outline.functions.some((scope) => calls.includes(scope.name) && leadsOn(scope, search));
}

/** A file that others import: the run starts with the outermost function that trains, and ends with the process. */
function startInLibrary(search: StartSearch): StartSite | null {
  const { outline, first, lines } = search;
  const own = outline.scopeOf(first);
  const leading = outline.functions.filter((scope) => leadsOn(scope, search));
  const called = new Set(leading.flatMap((scope) => [...scope.calls]));
  const scope = leading.find(({ name }) => !called.has(name)) ?? own;
  const at = pointAtStart(scope.body, lines);
  return at && { at, config: findConfig(outline, scope, null), rank: null, isGuarded: false, end: null };
}
