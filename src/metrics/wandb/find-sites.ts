import type { ScriptArguments } from "./find-arguments.ts";
import { findBatchSize } from "./find-batch-size.ts";
import type { FoundMetric, MetricSite } from "./find-evaluation.ts";
import { type Framework, findWatched, type LoopFramework } from "./find-framework.ts";
import { findHelperPoint } from "./find-helper-point.ts";
import { findRates } from "./find-rate.ts";
import { findStart, type StartSite } from "./find-start.ts";
import type { TrainingLoop } from "./find-training.ts";
import { type InsertionPoint, pointAfter, pointBefore } from "./insertion-point.ts";
import { listWatched } from "./list-watched.ts";
import { isEvalName, isMetricName, nameTrainMetric } from "./metric-names.ts";
import { nameResult } from "./name-result.ts";
import { findAll, findOwn, lineOf, listAround, listStatements, type PythonNode } from "./python-tree.ts";
import { listTargets, type ScriptOutline, type ScriptScope } from "./script-outline.ts";

/** Everywhere that logging goes. */
export interface ScriptSites {
  /** Where the functions go that the other lines call. */
  helper: InsertionPoint;
  start: StartSite;
  logs: LogSite[];
  /** The framework whose objects are watched by callbacks. */
  watcher: LoopFramework | null;
  /** Whether the script works with PyTorch, which knows how much of a GPU's memory was used. */
  hasTorch: boolean;
}

/** One call that logs. `samples` is an expression for the number of samples of a step. */
export type LogSite =
  | { kind: "train"; at: InsertionPoint; metrics: FoundMetric[]; samples: string | null }
  | { kind: "eval"; at: InsertionPoint; metrics: FoundMetric[] }
  | { kind: "watch"; at: InsertionPoint; object: string; metrics: FoundMetric[]; samples: string | null };

/** Why logging cannot be written in without a risk. `line` counts from 1. */
export interface Obstacle {
  line: number;
  reason: string;
}

export interface FoundScript {
  outline: ScriptOutline;
  framework: Framework;
  loopFramework: LoopFramework | null;
  args: ScriptArguments | null;
  loops: TrainingLoop[];
  evaluations: MetricSite[];
  lines: string[];
}

export function findSites(script: FoundScript): ScriptSites | Obstacle {
  const watcher = script.loops.length === 0 ? script.loopFramework : null;
  const logs = watcher ? watchObjects(script, watcher) : logLoops(script);
  if ("reason" in logs) return logs;
  const { outline, args, lines } = script;
  const start = findStart({ outline, lines, goals: logs.scopes, first: logs.first }, args);
  if (start === null)
    return { line: lineOf(logs.first), reason: "there is no line of its own to start the W&B run at" };
  return {
    helper: findHelperPoint(outline.root, lines),
    start,
    logs: logs.sites,
    watcher,
    hasTorch: hasTorch(outline),
  };
}

interface FoundLogs {
  sites: LogSite[];
  scopes: ScriptScope[];
  first: PythonNode;
}

function watchObjects({ outline, lines }: FoundScript, framework: LoopFramework): FoundLogs | Obstacle {
  const watched = findWatched(outline, framework);
  const first = watched[0];
  if (first === undefined)
    return { line: 1, reason: "the trainer is not kept by a name, so no callback can be given to it" };
  const sites = watched.map(({ text, statement, where }): LogSite | null => {
    const at = where === "after" ? pointAfter(statement, lines) : pointBefore(statement, lines);
    return at && { kind: "watch", at, object: text, ...listWatched(outline, framework) };
  });
  const found = sites.filter((site) => site !== null);
  if (found.length < sites.length) return refuseShared(first.statement);
  return { sites: found, scopes: watched.map(({ scope }) => scope), first: first.statement };
}

function logLoops(script: FoundScript): FoundLogs | Obstacle {
  const { outline, loops, evaluations } = script;
  const first = loops[0];
  if (first === undefined) return refuseWithoutLoop(outline);
  const closed = [
    ...loops.map(({ scope, loop }) => ({ scope, node: loop })),
    ...evaluations.map(({ scope, after }) => ({ scope, node: after })),
  ]
    .map(({ scope, node }) => findClosed(outline, scope, node))
    .find((obstacle) => obstacle !== null);
  if (closed) return closed;
  const sites: LogSite[] = [];
  for (const loop of loops) {
    const site = logLoop(script, loop);
    if ("reason" in site) return site;
    if (site.metrics.length > 0) sites.push(site);
  }
  for (const { after, metrics } of evaluations) {
    const at = pointAfter(after, script.lines);
    if (at === null) return refuseShared(after);
    sites.push({ kind: "eval", at, metrics });
  }
  if (sites.length === 0)
    return {
      line: lineOf(first.loop),
      reason: "this loop trains, but nothing in it has the name of a loss or of a metric",
    };
  return { sites, scopes: loops.map(({ scope }) => scope), first: first.loop };
}

function logLoop(script: FoundScript, training: TrainingLoop): (LogSite & { kind: "train" }) | Obstacle {
  const { outline, args, lines } = script;
  const extra = listStepMetrics(training);
  const last =
    [training.last, ...extra.map(({ statement }) => statement)]
      .sort((a, b) => a.startIndex - b.startIndex)
      .at(-1) ?? training.last;
  const at = isJump(last) ? pointBefore(last, lines) : pointAfter(last, lines);
  if (at === null) return refuseShared(last);
  const metrics = [...nameLosses(training), ...extra.map(({ metric }) => metric)];
  if (training.result) metrics.push(nameResult(outline, training.result, "train"));
  const unique = metrics.filter(
    ({ key }, index) => metrics.findIndex((other) => other.key === key) === index,
  );
  const rates = unique.length > 0 ? findRates(outline, training.scope, args) : [];
  return {
    kind: "train",
    at,
    metrics: [...unique, ...rates],
    samples: findBatchSize(outline, training, args),
  };
}

/** One loss is `train/loss`, whatever its name; of several, and of other numbers, each keeps its name. */
function nameLosses({ losses }: TrainingLoop): FoundMetric[] {
  const isAlone = losses.filter(({ isLoss }) => isLoss).length === 1;
  return losses.map(({ name, text, isLoss }) => {
    const key = isAlone && isLoss ? "train/loss" : nameTrainMetric(name, { isEpoch: false });
    return { key, text };
  });
}

/** Other numbers that a step computes, in statements of its block that no jump stands before. */
function listStepMetrics({ block, last, losses }: TrainingLoop) {
  const statements = listStatements(block);
  const end = statements.findIndex(
    (statement) =>
      statement.startIndex > last.startIndex &&
      findOwn(statement, ["break_statement", "continue_statement", "return_statement"]).length > 0,
  );
  const open = new Set((end === -1 ? statements : statements.slice(0, end)).map(({ id }) => id));
  return findOwn(block, "assignment").flatMap((assignment) => {
    const left = assignment.childForFieldName("left");
    const statement = listAround(assignment)[0];
    const right = assignment.childForFieldName("right");
    if (!left || statement?.block.id !== block.id || !open.has(statement.statement.id)) return [];
    if (/^(integer|float|none|list|dictionary)$/.test(right?.type ?? "")) return [];
    const names = listTargets(left)
      .map(({ text }) => text)
      .filter((name) => isMetricName(name) && !isEvalName(name));
    const others = names.filter((name) =>
      losses.every(({ text }) => !new RegExp(`\\b${name}\\b`).test(text)),
    );
    return others.map((text) => ({
      statement: statement.statement,
      metric: { key: nameTrainMetric(text, { isEpoch: false }), text },
    }));
  });
}

/** A function that is compiled as a whole must not call W&B; in a class body there is nothing to call it in. */
function findClosed(outline: ScriptOutline, scope: ScriptScope, node: PythonNode): Obstacle | null {
  for (let at = scope; at !== outline.module; at = outline.scopeOf(at.node)) {
    const compiled = at.decorators.find((text) =>
      /\b(jit|njit|pjit|pmap|compile|tf\.function|script)\b/.test(text),
    );
    if (compiled)
      return {
        line: lineOf(at.node),
        reason: `\`${at.name}\` is compiled as a whole (\`@${compiled}\`), and its steps cannot call W&B`,
      };
  }
  const isInClass = listAround(node).at(-1)?.block.parent?.type === "class_definition";
  return isInClass ? { line: lineOf(node), reason: "this loop runs in the body of a class" } : null;
}

function refuseShared(statement: PythonNode): Obstacle {
  return { line: lineOf(statement), reason: "the step shares its line with the line that opens the block" };
}

function refuseWithoutLoop({ root, module }: ScriptOutline): Obstacle {
  const other = findAll(root, "import_from_statement").find((statement) =>
    /\b(train(?!_test)|fit|learn|run|main)\w*|Trainer\b/.test(
      statement
        .childrenForFieldName("name")
        .map((name) => name?.text)
        .join(" "),
    ),
  );
  if (other)
    return {
      line: lineOf(other),
      reason: `there is no training loop in this file; it may be in what \`${other.text.split("\n")[0]}\` brings`,
    };
  return { line: lineOf(module.node), reason: "there is no training loop in this file" };
}

function isJump({ type }: PythonNode): boolean {
  return /^(return|break|continue|raise)_statement$/.test(type);
}

function hasTorch({ root }: ScriptOutline): boolean {
  const imports = findAll(root, ["import_statement", "import_from_statement"]).map(({ text }) => text);
  return imports.some((text) =>
    /\b(torch|transformers|trl|accelerate|pytorch_lightning|lightning|deepspeed)\b/.test(text),
  );
}
