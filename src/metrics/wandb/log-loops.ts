import { findBatchSize } from "./find-batch-size.ts";
import type { MetricSite } from "./find-evaluation.ts";
import { findRates } from "./find-rate.ts";
import { type InsertionPoint, isJump, pointAfter, pointBefore } from "./insertion-point.ts";
import { type FoundMetric, nameTrainMetric } from "./metric-names.ts";
import { nameResult } from "./name-result.ts";
import { findClosed, type Obstacle, refuseShared, refuseWithoutLoop } from "./obstacles.ts";
import { lineOf, type PythonNode } from "./python-tree.ts";
import type { ScriptArguments } from "./script-arguments.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";
import { listStepMetrics, listStepScalars } from "./step-metrics.ts";
import type { TrainingLoop } from "./training-loop.ts";
import { byPlace } from "./training-signals.ts";

/** A script, and what was found in it. */
export interface FoundScript {
  outline: ScriptOutline;
  args: ScriptArguments | null;
  loops: TrainingLoop[];
  evaluations: MetricSite[];
  lines: string[];
}

/** One call that logs. `samples` is an expression for the number of samples of a step. */
export type LogSite =
  | { kind: "train"; at: InsertionPoint; metrics: FoundMetric[]; samples: string | null }
  | { kind: "eval"; at: InsertionPoint; metrics: FoundMetric[] }
  | { kind: "watch"; at: InsertionPoint; object: string; metrics: FoundMetric[]; samples: string | null };

/** The calls that log, the scopes that train, and the first statement that does. */
export interface FoundLogs {
  sites: LogSite[];
  scopes: ScriptScope[];
  first: PythonNode;
}

/** After each step of a loop that trains, and after each evaluation. */
export function logLoops(script: FoundScript): FoundLogs | Obstacle {
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
    // `if epoch % 5 == 0: acc = evaluate()` has no place for a line; the training is logged without it.
    if (at !== null) sites.push({ kind: "eval", at, metrics });
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
  const extra = [...listStepMetrics(training), ...listStepScalars(outline, training)];
  const last =
    [training.last, ...extra.map(({ statement }) => statement)].sort(byPlace).at(-1) ?? training.last;
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
