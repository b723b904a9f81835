import { findScalars } from "./find-scalars.ts";
import { type FoundMetric, isEvalName, isMetricName, nameTrainMetric } from "./metric-names.ts";
import { findOwn, listAround, listStatements, type PythonNode } from "./python-tree.ts";
import { listTargets, type ScriptOutline } from "./script-outline.ts";
import type { TrainingLoop } from "./training-loop.ts";

/** A number of a step, and the statement after which it is there. */
interface StepMetric {
  statement: PythonNode;
  metric: FoundMetric;
}

/** Other numbers that a step computes, in statements of its block that no jump stands before. */
export function listStepMetrics({ block, last, losses }: TrainingLoop): StepMetric[] {
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

/** What a step gives to TensorBoard, other than its loss. */
export function listStepScalars(outline: ScriptOutline, { block, losses }: TrainingLoop): StepMetric[] {
  const scalars = findScalars(outline).filter((scalar) => scalar.block.id === block.id);
  const isLoss = (text: string) => losses.some((loss) => text.replace(/\.item\(\)$/, "") === loss.text);
  return scalars.filter(({ metric }) => !isLoss(metric.text));
}
