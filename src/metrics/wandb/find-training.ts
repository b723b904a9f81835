import { findHandWritten } from "./find-hand-written.ts";
import { isLossName } from "./metric-names.ts";
import { findAll, isWithin, listAround, nameCall, type PythonNode } from "./python-tree.ts";
import { findNamedLoss, makeLoss, readLosses } from "./read-loss.ts";
import { listTargets, type ScriptOutline } from "./script-outline.ts";
import { findOwnLoop, type TrainingLoop } from "./training-loop.ts";
import { byPlace, findLastStatement, findSignals, isBackward } from "./training-signals.ts";

interface LoopGroup {
  loop: PythonNode;
  signals: PythonNode[];
}

/** The loops whose turns are training steps, in the order of the text. */
export function findTrainingLoops(outline: ScriptOutline): TrainingLoop[] {
  const signals = findSignals(outline.root);
  const groups = groupByLoop(signals);
  const micro = groups.filter((group) => groups.some((outer) => isMicro(group, outer)));
  const steps = groups.filter((group) => !micro.includes(group));
  const apart = signals.filter((signal) => findOwnLoop(signal) === null);
  const loops = [
    ...steps.map((group) =>
      makeLoop(
        outline,
        group,
        micro.filter((inner) => isMicro(inner, group)),
      ),
    ),
    ...findCalledSteps(outline, apart),
  ].filter((loop) => loop !== null);
  const found = loops.length > 0 ? loops : findHandWritten(outline);
  return found.sort((a, b) => byPlace(a.block, b.block));
}

function groupByLoop(signals: PythonNode[]): LoopGroup[] {
  const groups = new Map<number, LoopGroup>();
  for (const signal of signals) {
    const loop = findOwnLoop(signal);
    if (loop === null) continue;
    const group = groups.get(loop.id) ?? { loop, signals: [] };
    group.signals.push(signal);
    groups.set(loop.id, group);
  }
  return [...groups.values()];
}

/** Gradient accumulation: the inner loop has the backward passes, the outer one the optimizer's step. */
function isMicro(inner: LoopGroup, outer: LoopGroup): boolean {
  if (inner === outer || !isWithin(inner.loop, outer.loop)) return false;
  return inner.signals.every(isBackward) && !outer.signals.some(isBackward);
}

function makeLoop(
  outline: ScriptOutline,
  { loop, signals }: LoopGroup,
  micro: LoopGroup[],
): TrainingLoop | null {
  const step = findStep(signals, loop);
  if (step === null) return null;
  const inner = micro.flatMap((group) => readLosses(group.signals, group.loop));
  const losses = inner.length > 0 ? inner : step.losses;
  const batches = inner.find(({ divisor }) => divisor !== null)?.divisor ?? null;
  return { loop, scope: outline.scopeOf(loop), ...step, losses, batches };
}

/** The block around the backward passes, else of the optimizer's step, and what its losses are. */
function findStep(signals: PythonNode[], within: PythonNode) {
  const passes = signals.filter(isBackward);
  const block = findCommonBlock(passes.length > 0 ? passes : signals.slice(0, 1));
  const last = block && findLastStatement(signals, block);
  if (!block || !last) return null;
  const read = readLosses(passes, block);
  const losses = read.length > 0 ? read : findNamedLoss(within);
  const results = losses.length > 0 ? [] : signals.map(findResult).filter((name) => name !== null);
  return { block, last, losses, batches: null, result: results[0] ?? null };
}

/** The innermost block around all of them: a step may have one pass in each branch of an `if`. */
function findCommonBlock(nodes: PythonNode[]): PythonNode | undefined {
  const around = nodes[0] ? listAround(nodes[0]) : [];
  return around.find(({ block }) => nodes.every((node) => isWithin(node, block)))?.block;
}

/** `result = model.train_on_batch(x, y)`. */
function findResult(call: PythonNode): string | null {
  const assignment = call.parent?.type === "assignment" ? call.parent : null;
  const left = assignment?.childForFieldName("left");
  return left?.type === "identifier" ? left.text : null;
}

/** Loops that call a function of the script in which the step is made, without a loop of its own. */
function findCalledSteps(outline: ScriptOutline, signals: PythonNode[]): (TrainingLoop | null)[] {
  const steps = [...new Set(signals.map((signal) => outline.scopeOf(signal)))].filter(
    ({ name }) => name !== "",
  );
  return steps.flatMap((step) => {
    const calls = findAll(outline.root, "call").filter((call) => nameCall(call).name === step.name);
    const looped = calls.filter((call) => findOwnLoop(call) !== null);
    const kept = looped.map((call) => makeFromCall(outline, call)).filter((loop) => loop !== null);
    if (kept.length > 0) return kept;
    const loop = looped[0] && findOwnLoop(looped[0]);
    const own = signals.filter((signal) => outline.scopeOf(signal) === step);
    const inside = loop ? findStep(own, step.node) : null;
    return loop && inside ? [{ loop, scope: step, ...inside }] : [];
  });
}

/** A loop that keeps what its step gives back: `loss = train_step(batch)`, `state, loss = ...`, `logs = ...`. */
function makeFromCall(outline: ScriptOutline, call: PythonNode): TrainingLoop | null {
  const loop = findOwnLoop(call);
  const around = listAround(call)[0];
  const assignment = call.parent?.type === "await" ? call.parent.parent : call.parent;
  const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : null;
  if (!loop || !around || !left) return null;
  const targets = listTargets(left).map(({ text }) => text);
  const losses = targets.filter(isLossName).map(makeLoss);
  const result = targets.length === 1 && losses.length === 0 ? (targets[0] ?? null) : null;
  if (losses.length === 0 && result === null) return null;
  return {
    loop,
    scope: outline.scopeOf(loop),
    block: around.block,
    last: around.statement,
    losses,
    batches: null,
    result,
  };
}
