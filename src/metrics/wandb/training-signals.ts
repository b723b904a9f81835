import { findAll, listAround, nameCall, type PythonNode } from "./python-tree.ts";

const STEPS = /^(backward|manual_backward|apply_gradients|train_on_batch|apply_updates|partial_fit)$/;
const OPTIMIZERS =
  /\boptim\.\w+\(|\boptimizers\.\w+\(|\boptax\.|\b(Adam\w*|SGD|RMSprop|Adagrad|Adadelta|Lion|Adafactor|LBFGS)\(/;

/** The calls that make a training step: backward passes, steps of optimizers and what stands for them elsewhere. */
export function findSignals(root: PythonNode): PythonNode[] {
  const optimizers = new Set(listMadeOptimizers(root));
  return findAll(root, "call").filter((call) => {
    const { name, receiver } = nameCall(call);
    if (STEPS.test(name)) return true;
    if (receiver === null || !/^(step|minimize)$/.test(name)) return false;
    return isOptimizerName(receiver.text) || optimizers.has(receiver.text);
  });
}

/** Whether a call is the backward pass, which has the loss. */
export function isBackward(call: PythonNode): boolean {
  return /backward$/.test(nameCall(call).name);
}

/** Names that are assigned an optimizer. */
export function listMadeOptimizers(root: PythonNode): string[] {
  return findAll(root, "assignment").flatMap((assignment) => {
    const left = assignment.childForFieldName("left");
    return left && OPTIMIZERS.test(assignment.childForFieldName("right")?.text ?? "") ? [left.text] : [];
  });
}

export function isOptimizerName(text: string): boolean {
  const last = text.split(".").at(-1) ?? text;
  const isOne = /optim|^opt(_|$|\d)|_opt$|^(adam|sgd)|engine$/i.test(last) || /^opt[A-Z]/.test(last);
  return isOne && !/sched/i.test(last);
}

/** The last statement of `block` that holds one of `nodes`. */
export function findLastStatement(nodes: PythonNode[], block: PythonNode): PythonNode | null {
  const around = nodes.flatMap((node) => listAround(node).filter((at) => at.block.id === block.id));
  return (
    around
      .map(({ statement }) => statement)
      .sort(byPlace)
      .at(-1) ?? null
  );
}

export function byPlace(a: PythonNode, b: PythonNode): number {
  return a.startIndex - b.startIndex;
}
