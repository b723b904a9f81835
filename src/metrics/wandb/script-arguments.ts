import { lineOf, type PythonNode } from "./python-tree.ts";
import type { ScriptScope } from "./script-outline.ts";

/** The object that holds a script's parameters. */
export interface ScriptArguments {
  kind: "argparse" | "hydra" | "function" | "object" | "dict" | "flags";
  /** The name it has, and the expression for W&B's config. */
  text: string;
  config: string;
  line: number;
  scope: ScriptScope;
  /** The statement after which it is there; null: it is a parameter of `scope`. */
  statement: PythonNode | null;
}

/** A function whose parameters are the arguments, handed over by a package. */
export function makeHanded(
  scope: ScriptScope,
  kind: ScriptArguments["kind"],
  text: string,
  config = text,
): ScriptArguments {
  return { kind, text, config, line: lineOf(scope.node), scope, statement: null };
}
