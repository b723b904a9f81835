import { findScope, type PythonNode } from "./python-tree.ts";
import type { Loss } from "./read-loss.ts";
import type { ScriptScope } from "./script-outline.ts";

/** A loop that trains, as nodes: they live as long as the tree. */
export interface TrainingLoop {
  loop: PythonNode;
  /** Where the step's statements are: the loop's scope, or a function that it calls. */
  scope: ScriptScope;
  block: PythonNode;
  /** The last statement of the block that is part of the step. */
  last: PythonNode;
  losses: Loss[];
  /** How many batches make one step, as an expression; null: one. */
  batches: string | null;
  /** The name of what a step gives back, a number or a dict of numbers, where no loss is known by name. */
  result: string | null;
}

const LOOPS = ["for_statement", "while_statement"];

/** The nearest loop around a node in the same function. */
export function findOwnLoop(node: PythonNode): PythonNode | null {
  const loop = findScope(node, [...LOOPS, "function_definition", "class_definition"]);
  return loop !== null && LOOPS.includes(loop.type) ? loop : null;
}
