import {
  type FoundMetric,
  isEvalFunction,
  isEvalName,
  isMetricName,
  nameEvalMetric,
  nameTrainMetric,
} from "./metric-names.ts";
import { nameResult } from "./name-result.ts";
import { findAll, isWithin, listAround, nameCall, type PythonNode } from "./python-tree.ts";
import { listTargets, type ScriptOutline, type ScriptScope } from "./script-outline.ts";
import type { TrainingLoop } from "./training-loop.ts";

/** A statement of a block after which metrics are there. */
export interface MetricSite {
  scope: ScriptScope;
  after: PythonNode;
  metrics: FoundMetric[];
}

/** One statement that sets a name. */
interface Setting {
  name: string;
  block: PythonNode;
  statement: PythonNode;
  scope: ScriptScope;
  kind: "computed" | "begun" | "changed";
  /** Set by the call of a function that evaluates. */
  byEvaluation: boolean;
  isOnly: boolean;
}

/** Where evaluations end, and where an epoch has its numbers: each with what is to be logged there. */
export function findEvaluations(outline: ScriptOutline, loops: TrainingLoop[]): MetricSite[] {
  if (loops.length === 0) return [];
  const settings = findAll(outline.root, ["assignment", "augmented_assignment"]).flatMap((found) =>
    readSettings(outline, found),
  );
  const scopes = listScopes(outline, loops, settings);
  const origins = settings.filter((setting) => scopes.has(setting.scope) && isOrigin(setting, settings));
  const sites = new Map<number, MetricSite>();
  for (const origin of origins) {
    const metric = nameMetric(origin, loops, outline);
    if (metric === null) continue;
    const after = findLast(origin, settings);
    const site = sites.get(origin.block.id) ?? { scope: origin.scope, after, metrics: [] };
    if (after.startIndex > site.after.startIndex) site.after = after;
    if (!site.metrics.some(({ key }) => key === metric.key)) site.metrics.push(metric);
    sites.set(origin.block.id, site);
  }
  return [...sites.values()].sort((a, b) => a.after.startIndex - b.after.startIndex);
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
  const isConstant = /^(integer|float|none|unary_operator|list|true|false|dictionary)$/.test(right.type);
  if (
    isConstant ||
    /^float\(/.test(right.text) ||
    (/^(integer|float|none)/.test(right.namedChildren[0]?.type ?? "") && right.type === "expression_list")
  )
    return "begun";
  const operand = right.type === "binary_operator" ? right.childForFieldName("left")?.text : undefined;
  return operand === name ? "changed" : "computed";
}

/** Scopes whose numbers are worth logging: on the way to the training, and evaluations whose result nobody keeps. */
function listScopes(outline: ScriptOutline, loops: TrainingLoop[], settings: Setting[]): Set<ScriptScope> {
  const all = [outline.module, ...outline.functions];
  const kept = new Set(
    findAll(outline.root, "call")
      .filter((call) => isKept(call, settings))
      .map((call) => nameCall(call).name),
  );
  return new Set(
    all.filter((scope) => {
      if (isEvalFunction(scope.name)) return !kept.has(scope.name);
      return loops.some((loop) => outline.reaches(scope, loop.scope));
    }),
  );
}

/** Whether what a call gives back is set to names that are logged. */
function isKept(call: PythonNode, settings: Setting[]): boolean {
  if (!isEvalFunction(nameCall(call).name)) return false;
  return settings.some(
    (setting) =>
      setting.byEvaluation &&
      isWithin(call, setting.statement) &&
      (isMetricName(setting.name) || isResult(setting)),
  );
}

function isResult({ name, byEvaluation, isOnly }: Setting): boolean {
  return (
    byEvaluation &&
    isOnly &&
    /^(self\.)?(\w+_)?(metrics?|results?|stats?|scores?|logs?|report|output|res)$/.test(name)
  );
}

/** Where a name gets its value: computed, or begun with a constant and then changed in a loop. */
function isOrigin(setting: Setting, all: Setting[]): boolean {
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
function findLast({ name, block, statement, scope }: Setting, all: Setting[]): PythonNode {
  const others = all.filter(
    (other) => other.name === name && other.scope === scope && isWithin(other.statement, block),
  );
  const statements = others.flatMap((other) =>
    listAround(other.statement).filter((at) => at.block.id === block.id),
  );
  return (
    [statement, ...statements.map((at) => at.statement)].sort((a, b) => a.startIndex - b.startIndex).at(-1) ??
    statement
  );
}

function nameMetric(origin: Setting, loops: TrainingLoop[], outline: ScriptOutline): FoundMetric | null {
  const { name, block, scope, byEvaluation } = origin;
  if (isResult(origin)) return nameResult(outline, name, "eval");
  const isEval = isEvalName(name) || (isMetricName(name) && (byEvaluation || isEvalFunction(scope.name)));
  if (isEval) return isInLoopOf(origin) ? null : { key: nameEvalMetric(name), text: name };
  if (!isMetricName(name) || loops.some((loop) => loop.block.id === block.id)) return null;
  if (!isEpochBlock(block, loops, outline)) return null;
  return { key: nameTrainMetric(name, { isEpoch: true }), text: name };
}

/** A loop over batches inside an evaluation: what it computes is a part of the result only. */
function isInLoopOf({ block, scope }: Setting): boolean {
  const around = block.parent?.type ?? "";
  return isEvalFunction(scope.name) && /^(for|while)_statement$/.test(around);
}

/** The body of a loop whose turns train. */
function isEpochBlock(block: PythonNode, loops: TrainingLoop[], outline: ScriptOutline): boolean {
  const loop = block.parent;
  if (loop === null || !/^(for|while)_statement$/.test(loop.type)) return false;
  if (loops.some((training) => training.loop.id !== loop.id && isWithin(training.loop, loop))) return true;
  const calls = findAll(loop, "call").map((call) => nameCall(call).name);
  return outline.functions.some(
    (scope) => calls.includes(scope.name) && loops.some((training) => outline.reaches(scope, training.scope)),
  );
}
