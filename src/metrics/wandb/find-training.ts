import { isEvalFunction, isLossName } from "./metric-names.ts";
import {
  findAll,
  findOwn,
  findScope,
  listArguments,
  listAround,
  nameCall,
  type PythonNode,
} from "./python-tree.ts";
import { listTargets, type ScriptOutline, type ScriptScope } from "./script-outline.ts";

/** A loop that trains, as nodes: they live as long as the tree. */
export interface TrainingLoop {
  loop: PythonNode;
  scope: ScriptScope;
  /** The block whose statements make one step; in a function that the loop calls, where its result goes nowhere. */
  block: PythonNode;
  /** The last statement of the block that is part of the step. */
  last: PythonNode;
  /** What is the loss: expressions as text, by the name they have in the script. */
  losses: { name: string; text: string }[];
  /** A call whose result is a number or a dict of numbers about the step. */
  result: string | null;
}

const LOOPS = ["for_statement", "while_statement"];
const JUMPS = /^(return|break|continue|raise)_statement$/;

/** The innermost loops that train, in the order of the text. */
export function findTrainingLoops(outline: ScriptOutline): TrainingLoop[] {
  const signals = findAll(outline.root, "call").filter((call) => isSignal(call, outline));
  const looped = signals.flatMap((signal) => {
    const loop = findOwnLoop(signal);
    return loop ? [{ loop, signal }] : [];
  });
  const loops = groupByLoop(looped).map(({ loop, signals: own }) => makeLoop(outline, loop, own));
  const apart = signals.filter((signal) => findOwnLoop(signal) === null);
  loops.push(...findCalledSteps(outline, apart));
  const found = loops.filter((loop) => loop !== null);
  if (found.length === 0) found.push(...findHandWritten(outline));
  return found.sort((a, b) => a.block.startIndex - b.block.startIndex);
}

/** Whether a call is part of a training step: a backward pass, a step of an optimizer, one of its equivalents. */
function isSignal(call: PythonNode, outline: ScriptOutline): boolean {
  const { name, receiver, path } = nameCall(call);
  if (/^(backward|manual_backward|apply_gradients|train_on_batch|apply_updates|partial_fit)$/.test(name))
    return true;
  if (/\bminimize$/.test(path) && receiver !== null && isOptimizerName(receiver.text)) return true;
  if (name !== "step" || receiver === null) return false;
  return isOptimizerName(receiver.text) || isMadeAsOptimizer(receiver.text, outline);
}

export function isOptimizerName(text: string): boolean {
  const last = text.split(".").at(-1) ?? text;
  return /optim|^opt(_|$|[A-Z\d])|_opt$|^(adam|sgd)|engine$/i.test(last) && !/sched/i.test(last);
}

function isMadeAsOptimizer(name: string, { root }: ScriptOutline): boolean {
  return findAll(root, "assignment").some(
    (assignment) =>
      assignment.childForFieldName("left")?.text === name &&
      /\boptim\.\w+\(|\b(Adam\w*|SGD|RMSprop|Adagrad|Lion|Adafactor)\(/.test(
        assignment.childForFieldName("right")?.text ?? "",
      ),
  );
}

/** The nearest loop around a node in the same function. */
function findOwnLoop(node: PythonNode): PythonNode | null {
  const loop = findScope(node, [...LOOPS, "function_definition", "class_definition"]);
  return loop !== null && LOOPS.includes(loop.type) ? loop : null;
}

function groupByLoop(looped: { loop: PythonNode; signal: PythonNode }[]) {
  const groups = new Map<number, { loop: PythonNode; signals: PythonNode[] }>();
  for (const { loop, signal } of looped) {
    const group = groups.get(loop.id) ?? { loop, signals: [] };
    group.signals.push(signal);
    groups.set(loop.id, group);
  }
  return [...groups.values()];
}

function makeLoop(outline: ScriptOutline, loop: PythonNode, signals: PythonNode[]): TrainingLoop | null {
  const step = findStep(signals, loop);
  if (step === null) return null;
  return { loop, scope: outline.scopeOf(loop), ...step };
}

/** The block of the backward passes, else of the optimizer's step, and what its losses are. */
function findStep(signals: PythonNode[], within: PythonNode) {
  const passes = signals.filter((signal) => /backward$/.test(nameCall(signal).name));
  const main = passes.at(-1) ?? signals[0];
  const block = main && listAround(main)[0]?.block;
  if (!main || !block) return null;
  const parts = signals.flatMap((signal) => listAround(signal).filter((at) => at.block.id === block.id));
  const statements = parts.map(({ statement }) => statement);
  const last = statements.sort((a, b) => a.startIndex - b.startIndex).at(-1);
  if (last === undefined) return null;
  const losses = passes.flatMap(readLoss).map(unscale(block));
  const named = losses.length > 0 ? losses : findNamedLoss(within);
  const result = signals.map(findResult).find((name) => name !== null) ?? null;
  return { block, last, losses: dropDoubles(named), result: named.length === 0 ? result : null };
}

/** The expression on which `backward` is called, or which is handed to it; without scalers and divisors. */
function readLoss(pass: PythonNode): { name: string; text: string }[] {
  const { receiver } = nameCall(pass);
  const given = listArguments(pass)[0];
  const isHelper =
    receiver !== null && /accelerator|engine|fabric|^self$|manual|\bamp\b|model$/i.test(receiver.text);
  const loss = peel(isHelper && given ? given : receiver);
  if (loss === null || !/^[\w.\s+*()-]+$/.test(loss.text) || /^\W|\(/.test(loss.text)) return [];
  const isName = /^[\w.]+$/.test(loss.text);
  return [{ name: isName ? (loss.text.split(".").at(-1) ?? loss.text) : "loss", text: loss.text }];
}

function peel(node: PythonNode | null): PythonNode | null {
  if (node?.type === "parenthesized_expression") return peel(node.namedChildren[0] ?? null);
  if (node?.type === "binary_operator" && node.childForFieldName("operator")?.text === "/")
    return peel(node.childForFieldName("left"));
  if (node?.type !== "call") return node;
  const { name, receiver } = nameCall(node);
  if (/^(scale|scale_loss)$/.test(name)) return peel(listArguments(node)[0] ?? null);
  return /^(mean|sum)$/.test(name) ? peel(receiver) : node;
}

/** A loss that the step divides for gradient accumulation is logged times the divisor. */
function unscale(block: PythonNode) {
  return ({ name, text }: { name: string; text: string }) => {
    const divided = findOwn(block, ["assignment", "augmented_assignment"]).find(
      (found) => found.childForFieldName("left")?.text === text && readDivisor(found, text) !== null,
    );
    const divisor = divided ? readDivisor(divided, text) : null;
    return { name, text: divisor === null ? text : `${text} * ${divisor}` };
  };
}

function readDivisor(found: PythonNode, name: string): string | null {
  const right = found.childForFieldName("right");
  const isAccumulated = (text: string | undefined) =>
    text && /accum|micro/i.test(text) && /^[\w.]+$/.test(text) ? text : null;
  if (found.type === "augmented_assignment")
    return found.children[1]?.text === "/=" ? isAccumulated(right?.text) : null;
  if (right?.type !== "binary_operator" || right.childForFieldName("operator")?.text !== "/") return null;
  return right.childForFieldName("left")?.text === name
    ? isAccumulated(right.childForFieldName("right")?.text)
    : null;
}

function findNamedLoss(within: PythonNode): { name: string; text: string }[] {
  const targets = findOwn(within, "assignment").flatMap((found) => {
    const left = found.childForFieldName("left");
    return left ? listTargets(left) : [];
  });
  const loss = targets.map(({ text }) => text).find(isLossName);
  return loss ? [{ name: loss.split(".").at(-1) ?? loss, text: loss }] : [];
}

function findResult(call: PythonNode): string | null {
  const assignment = call.parent?.type === "assignment" ? call.parent : null;
  const left = assignment?.childForFieldName("left");
  return left?.type === "identifier" && assignment?.parent?.type === "expression_statement"
    ? left.text
    : null;
}

function dropDoubles(losses: { name: string; text: string }[]) {
  return losses.filter((loss, index) => losses.findIndex(({ name }) => name === loss.name) === index);
}

/** Loops that call a function of the script in which the step is made, without a loop of its own. */
function findCalledSteps(outline: ScriptOutline, signals: PythonNode[]): (TrainingLoop | null)[] {
  const steps = [...new Set(signals.map((signal) => outline.scopeOf(signal)))].filter(
    ({ name }) => name !== "",
  );
  return steps.flatMap((step) => {
    const calls = findAll(outline.root, "call").filter(
      (call) => nameCall(call).name === step.name || nameCall(call).path === step.name,
    );
    const looped = calls.flatMap((call) => {
      const loop = findOwnLoop(call);
      return loop ? [{ loop, call }] : [];
    });
    const first = looped[0];
    if (first === undefined) return [];
    const kept = looped
      .map(({ loop, call }) => makeFromCall(outline, loop, call))
      .filter((loop) => loop !== null);
    if (kept.length > 0) return kept;
    const own = signals.filter((signal) => outline.scopeOf(signal) === step);
    const inside = findStep(own, step.node);
    return inside ? [{ loop: first.loop, scope: step, ...inside }] : [];
  });
}

/** A loop that keeps what its step gives back: `loss = train_step(batch)`, `state, loss = ...`, `logs = ...`. */
function makeFromCall(outline: ScriptOutline, loop: PythonNode, call: PythonNode): TrainingLoop | null {
  const around = listAround(call)[0];
  const assignment = call.parent?.type === "await" ? call.parent.parent : call.parent;
  const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : null;
  if (!around || !left) return null;
  const targets = listTargets(left).map(({ text }) => text);
  const losses = targets.filter(isLossName).map((text) => ({ name: text.split(".").at(-1) ?? text, text }));
  const result = targets.length === 1 && losses.length === 0 ? (targets[0] ?? null) : null;
  if (losses.length === 0 && result === null) return null;
  return { loop, scope: outline.scopeOf(loop), block: around.block, last: around.statement, losses, result };
}

/** Steps written by hand, in NumPy for instance: a loss is computed and something is changed by it. */
function findHandWritten(outline: ScriptOutline): TrainingLoop[] {
  const loops = findAll(outline.root, LOOPS).filter((loop) => !isEvalFunction(outline.scopeOf(loop).name));
  return loops.flatMap((loop) => {
    const body = loop.childForFieldName("body");
    const losses = findNamedLoss(loop);
    const changes = findOwn(loop, ["augmented_assignment", "call"]).filter(isChange);
    const own = [...changes, ...findOwn(loop, "assignment")].filter(
      (found) => findOwnLoop(found)?.id === loop.id,
    );
    const isOwn = own.some(
      (found) =>
        found.type === "assignment" &&
        found.childForFieldName("left")?.text.includes(losses[0]?.text ?? "\0"),
    );
    if (body === null || changes.length === 0 || !isOwn) return [];
    const last = own
      .flatMap((found) => listAround(found).filter(({ block }) => block.id === body.id))
      .map(({ statement }) => statement)
      .sort((a, b) => a.startIndex - b.startIndex)
      .at(-1);
    return last ? [{ loop, scope: outline.scopeOf(loop), block: body, last, losses, result: null }] : [];
  });
}

function isChange(node: PythonNode): boolean {
  if (node.type === "call")
    return /^(update|learn|train|fit|train_step|train_epoch|train_one_epoch|step)$/.test(nameCall(node).name);
  return (
    node.children[1]?.text === "-=" ||
    /alpha|lr|learning_rate|eta/.test(node.childForFieldName("right")?.text ?? "")
  );
}

export function isJump(statement: PythonNode): boolean {
  return JUMPS.test(statement.type);
}
