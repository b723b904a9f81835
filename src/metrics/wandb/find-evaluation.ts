import { findScalars } from "./find-scalars.ts";
import {
  type FoundMetric,
  isEvalFunction,
  isEvalName,
  isMetricName,
  nameEvalMetric,
  nameTrainMetric,
} from "./metric-names.ts";
import { nameResult } from "./name-result.ts";
import { findLast, isOrigin, listSettings, type Setting } from "./name-settings.ts";
import { findAll, isWithin, nameCall, type PythonNode } from "./python-tree.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";
import type { TrainingLoop } from "./training-loop.ts";
import { byPlace } from "./training-signals.ts";

/** A statement of a block after which metrics are there. */
export interface MetricSite {
  scope: ScriptScope;
  after: PythonNode;
  metrics: FoundMetric[];
}

/** Where evaluations end, and where an epoch has its numbers: each with what is to be logged there. */
export function findEvaluations(outline: ScriptOutline, loops: TrainingLoop[]): MetricSite[] {
  if (loops.length === 0) return [];
  const settings = listSettings(outline);
  const scopes = listScopes(outline, loops, settings);
  const origins = settings.filter((setting) => scopes.has(setting.scope) && isOrigin(setting, settings));
  const sites = new Map<number, MetricSite>();
  for (const origin of origins) {
    const metric = nameMetric(origin, loops, outline);
    if (metric === null) continue;
    const after = findLast(origin, settings);
    const site = sites.get(origin.block.id) ?? { scope: origin.scope, after, metrics: [] };
    addMetric(site, metric, after);
    sites.set(origin.block.id, site);
  }
  for (const { scope, block, statement, metric } of findScalars(outline)) {
    if (!scopes.has(scope) || loops.some((loop) => loop.block.id === block.id)) continue;
    const site = sites.get(block.id) ?? { scope, after: statement, metrics: [] };
    addMetric(site, metric, statement);
    sites.set(block.id, site);
  }
  return [...sites.values()].sort((a, b) => byPlace(a.after, b.after));
}

/** A number is logged once, by the name that is found first. */
function addMetric(site: MetricSite, metric: FoundMetric, after: PythonNode): void {
  if (site.metrics.some(({ key, text }) => key === metric.key || text === metric.text)) return;
  if (after.startIndex > site.after.startIndex) site.after = after;
  site.metrics.push(metric);
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
    /^(self\.)?(\w+_)?(metrics?|results?|stats?|scores?|logs?|report|output|res|val|valid|validation|evaluation|test)$/.test(
      name,
    )
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
