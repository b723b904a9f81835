import { findArgument } from "./find-rate.ts";
import { findOwn, isWithin, listStatements, type PythonNode } from "./python-tree.ts";
import type { ScriptArguments } from "./script-arguments.ts";
import { listTargets, type ScriptOutline, type ScriptScope } from "./script-outline.ts";
import type { TrainingLoop } from "./training-loop.ts";

const SIZE = /^(train_|per_device_train_|micro_)?(batch_?size|bs|bsz|batch)$/i;

/** How many samples a step has, as an expression: the length of what the loop takes, else the batch size by name. */
export function findBatchSize(
  outline: ScriptOutline,
  training: TrainingLoop,
  args: ScriptArguments | null,
): string | null {
  const size =
    findBatch(training) ??
    findSizeName(outline, training.scope) ??
    findArgument(outline, training.scope, args, SIZE);
  return size !== null && training.batches !== null ? `${size} * ${training.batches}` : size;
}

/** `for x, y in loader`, `for step, (x, y) in enumerate(loader)`, and `batch` where the script takes it apart. */
function findBatch({ loop, block, scope }: TrainingLoop): string | null {
  const left = loop.childForFieldName("left");
  const right = loop.childForFieldName("right");
  if (left === null || right === null || !isWithin(loop, scope.node) || /\brange\(/.test(right.text))
    return null;
  const isCounted = /\benumerate\(/.test(right.text) && /_list|^tuple|^pattern/.test(left.type);
  const item = isCounted ? (listStatements(left)[1] ?? left) : left;
  if (!/\b\w*(loader|batch|iter|data|dl|train)\w*/i.test(right.text)) return null;
  if (item.type !== "identifier") {
    const first = listTargets(item)[0];
    return first ? `len(${first.text})` : null;
  }
  return readParts(block, item.text);
}

/** `x, y = batch`, `x = batch[0]`, `batch["input_ids"]`. */
function readParts(block: PythonNode, batch: string): string | null {
  for (const assignment of findOwn(block, "assignment")) {
    const left = assignment.childForFieldName("left");
    const right = assignment.childForFieldName("right")?.text ?? "";
    const first = left ? listTargets(left)[0] : undefined;
    if (left?.type === "pattern_list" && first && (right === batch || right.includes(` ${batch}`)))
      return `len(${first.text})`;
  }
  const part = findOwn(block, "subscript").find(
    (found) =>
      found.childForFieldName("value")?.text === batch && /^\w+\[(["'].*["']|\d+)\]$/.test(found.text),
  );
  return part ? `len(${part.text})` : null;
}

function findSizeName(outline: ScriptOutline, scope: ScriptScope): string | null {
  const names = [...scope.assigned, ...outline.module.assigned].filter(
    (name) => SIZE.test(name.replace(/^self\./, "")) && !/^batch$/i.test(name),
  );
  return names.find((name) => outline.knows(scope, name)) ?? null;
}
