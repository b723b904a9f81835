import { findAll, lineOf, listAround, type PythonNode } from "./python-tree.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";

/** Why logging cannot be written in without a risk. `line` counts from 1. */
export interface Obstacle {
  line: number;
  reason: string;
}

/** A function that is compiled as a whole must not call W&B; in a class body there is nothing to call it in. */
export function findClosed(outline: ScriptOutline, scope: ScriptScope, node: PythonNode): Obstacle | null {
  for (let at = scope; at !== outline.module; at = outline.scopeOf(at.node)) {
    const compiled = at.decorators.find((text) =>
      /\b(jit|njit|pjit|pmap|compile|tf\.function|script)\b/.test(text),
    );
    if (compiled)
      return {
        line: lineOf(at.node),
        reason: `\`${at.name}\` is compiled as a whole (\`@${compiled}\`), and its steps cannot call W&B`,
      };
  }
  const isInClass = listAround(node).at(-1)?.block.parent?.type === "class_definition";
  return isInClass ? { line: lineOf(node), reason: "this loop runs in the body of a class" } : null;
}

/** A block on the line of its header, `if x: y`, has no place for a line of ours, nor has a line that ends by `; return`. */
export function refuseShared(statement: PythonNode): Obstacle {
  return {
    line: lineOf(statement),
    reason: "the step shares its line with other statements: give it a line of its own",
  };
}

/** Names what is imported to train, where a name says so. */
export function refuseWithoutLoop({ root, module }: ScriptOutline): Obstacle {
  const other = findAll(root, "import_from_statement").find((statement) =>
    /\b(train(?!_test)|fit|learn|run|main)(_\w+)?\b|Trainer\b/.test(
      statement
        .childrenForFieldName("name")
        .map((name) => name?.text)
        .join(" "),
    ),
  );
  if (other)
    return {
      line: lineOf(other),
      reason: `there is no training loop in this file; it may be in what \`${other.text.split("\n")[0]}\` brings`,
    };
  return { line: lineOf(module.node), reason: "there is no training loop in this file" };
}
