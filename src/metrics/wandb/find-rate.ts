import { findAll, type PythonNode } from "./python-tree.ts";
import type { ScriptArguments } from "./script-arguments.ts";
import { listTargets, type ScriptOutline, type ScriptScope } from "./script-outline.ts";
import { isOptimizerName, listMadeOptimizers } from "./training-signals.ts";

/** Where the learning rate of a step is read from: names for W&B with expressions, the first is `train/lr`. */
export function findRates(outline: ScriptOutline, scope: ScriptScope, args: ScriptArguments | null) {
  // Arguments are called `opt`, too.
  const optimizers = listOptimizers(outline).filter(
    (name) => name !== args?.text && outline.knows(scope, name),
  );
  if (optimizers.length > 0)
    return optimizers.map((name, index) => ({
      key: index === 0 ? "train/lr" : `train/lr_${nameShort(name)}`,
      text: readRate(outline, name),
    }));
  // `args.lr`, where the script itself reads it.
  const text = findRateName(outline, scope) ?? findArgument(outline, scope, args, RATE);
  return text === null ? [] : [{ key: "train/lr", text }];
}

/** `optimizer_D` is `D`. */
function nameShort(name: string): string {
  const last = name.split(".").at(-1) ?? name;
  return last.replace(/_?(optimizer|optim|opt)_?/i, "") || last;
}

function listOptimizers({ root }: ScriptOutline): string[] {
  const made = listMadeOptimizers(root);
  const stepped = findAll(root, "call").flatMap((call) => {
    const callee = call.childForFieldName("function");
    const receiver = callee?.childForFieldName("object");
    const isStep = callee?.childForFieldName("attribute")?.text === "step";
    return isStep && receiver && /^[\w.]+$/.test(receiver.text) && isOptimizerName(receiver.text)
      ? [receiver.text]
      : [];
  });
  const given = findAll(root, "parameters")
    .flatMap((parameters) => findAll(parameters, "identifier").map(({ text }) => text))
    .filter(isOptimizerName);
  const names = [...made, ...stepped, ...given].filter(
    (name) => /^(self\.)?\w+$/.test(name) && !/engine$/i.test(name),
  );
  return [...new Set(names)];
}

/** PyTorch keeps the rate in its parameter groups, TensorFlow as an attribute. */
function readRate({ root }: ScriptOutline, name: string): string {
  const isTensorFlow =
    /\b(import|from) (tensorflow|keras)\b/.test(root.text) && !/\bimport torch\b/.test(root.text);
  return isTensorFlow ? `${name}.learning_rate` : `${name}.param_groups[0]["lr"]`;
}

const RATE = /^(self\.)?(lr|learning_rate|current_lr|cur_lr|lr_now|step_size|alpha|eta)$/i;

function findRateName(outline: ScriptOutline, scope: ScriptScope): string | null {
  const assigned = findAll(outline.root, "assignment").flatMap((assignment) => {
    const left = assignment.childForFieldName("left");
    return left ? listTargets(left).map(({ text }) => text) : [];
  });
  const names = [...scope.parameters, ...assigned].filter(
    (name) => RATE.test(name) && outline.knows(scope, name),
  );
  return names[0] ?? null;
}

/** The first attribute or key of the arguments whose name fits, as the script itself writes it. */
export function findArgument(
  outline: ScriptOutline,
  scope: ScriptScope,
  args: ScriptArguments | null,
  name: RegExp,
): string | null {
  const uses = findAll(outline.root, ["attribute", "subscript"]).filter(
    (use) => isPlainUse(use) && name.test(readLast(use)),
  );
  const known = uses.filter((use) => {
    const first = /^(self\.)?\w+/.exec(use.text)?.[0] ?? "";
    const isArguments = args !== null && first === args.text;
    return (
      (isArguments || /^(self\.)?(args|cfg|config|hparams|opt|params|FLAGS|conf)$/.test(first)) &&
      outline.knows(scope, first)
    );
  });
  return known[0]?.text ?? null;
}

function isPlainUse(use: PythonNode): boolean {
  return /^[\w.]+(\[["']\w+["']\])*$/.test(use.text);
}

function readLast(use: PythonNode): string {
  return /(\w+)["'\]]*$/.exec(use.text)?.[1] ?? "";
}
