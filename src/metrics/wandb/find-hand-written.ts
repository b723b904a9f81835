import { isEvalFunction, isEvalName, isLossName, isMetricName } from "./metric-names.ts";
import { findAll, findOwn, isWithin, listAround, nameCall, type PythonNode } from "./python-tree.ts";
import { makeLoss } from "./read-loss.ts";
import { listTargets, type ScriptOutline } from "./script-outline.ts";
import type { TrainingLoop } from "./training-loop.ts";
import { findLastStatement } from "./training-signals.ts";

const LEARNING = /^(update|learn|train|fit|optimize|train_step|train_batch|train_epoch|train_one_epoch)$/;
const RATE = /\b(lr|learning_rate|alpha|eta|step_size)\b/;

/**
 * Loops without a framework's step: weights or a table are changed by a rate, or `agent.update()` is called, and the body
 * of the loop computes a loss (the innermost such loops count) or, turn by turn, a reward (the outermost).
 */
export function findHandWritten(outline: ScriptOutline): TrainingLoop[] {
  const loops = findAll(outline.root, ["for_statement", "while_statement"]);
  const found = loops.map((loop) => makeLoop(outline, loop)).filter((loop) => loop !== null);
  const losing = found.filter(({ losses }) => losses.some(({ isLoss }) => isLoss));
  if (losing.length > 0)
    return losing.filter(({ loop }) => !losing.some((inner) => isAround(loop, inner.loop)));
  return found.filter(({ loop }) => !found.some((outer) => isAround(outer.loop, loop)));
}

function isAround(outer: PythonNode, inner: PythonNode): boolean {
  return outer.id !== inner.id && isWithin(inner, outer);
}

function makeLoop(outline: ScriptOutline, loop: PythonNode): TrainingLoop | null {
  const scope = outline.scopeOf(loop);
  const block = loop.childForFieldName("body");
  const changes = findOwn(loop, ["augmented_assignment", "assignment", "call"]).filter(isChange);
  if (block === null || changes.length === 0 || isEvalFunction(scope.name)) return null;
  const metrics = listMetrics(block);
  const last = findLastStatement([...changes, ...metrics.map(({ node }) => node)], block);
  const names = [...new Set(metrics.map(({ name }) => name))];
  const losses = names.filter(isLossName).slice(0, 1).map(makeLoss);
  const others = names
    .filter((name) => !isLossName(name))
    .map((name) => ({ ...makeLoss(name), isLoss: false }));
  if (last === null || names.length === 0) return null;
  return { loop, scope, block, last, losses: [...losses, ...others], batches: null, result: null };
}

/** `w -= lr * grad`, `Q[s, a] += alpha * error`, `params = params - lr * grads`, `agent.update(batch)`. */
function isChange(node: PythonNode): boolean {
  if (node.type === "call") return LEARNING.test(nameCall(node).name);
  const right = node.childForFieldName("right");
  return (
    right !== null &&
    right.type !== "float" &&
    right.type !== "integer" &&
    RATE.test(right.text) &&
    !/lr|rate/i.test(node.childForFieldName("left")?.text ?? "")
  );
}

/** Metrics that this body sets in a statement of its own. */
function listMetrics(body: PythonNode): { name: string; node: PythonNode }[] {
  return findOwn(body, ["assignment", "augmented_assignment"]).flatMap((node) => {
    const left = node.childForFieldName("left");
    const names = left
      ? listTargets(left)
          .map(({ text }) => text)
          .filter((name) => isMetricName(name) && !isEvalName(name))
      : [];
    const isBegun = findOwn(body, "assignment").some(
      (found) =>
        listAround(found)[0]?.block.id === body.id &&
        names.includes(found.childForFieldName("left")?.text ?? ""),
    );
    return isBegun ? names.map((name) => ({ name, node })) : [];
  });
}
