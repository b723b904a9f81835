import { isLossName } from "./metric-names.ts";
import { findOwn, listArguments, nameCall, type PythonNode } from "./python-tree.ts";
import { listTargets } from "./script-outline.ts";

/** A loss: its name in the script, and the expression for the number. */
export interface Loss {
  name: string;
  text: string;
  /** By what it is divided for gradient accumulation; the expression has it multiplied again. */
  divisor: string | null;
  /** False for another number that says how the training goes, a reward for instance. */
  isLoss: boolean;
}

/** The losses of backward passes, each name once. */
export function readLosses(passes: PythonNode[], block: PythonNode): Loss[] {
  const found = passes.flatMap(readLoss).map((loss) => unscale(loss, block));
  return found.filter((loss, index) => found.findIndex(({ name }) => name === loss.name) === index);
}

/** The first name of a loss that is assigned in `within`. */
export function findNamedLoss(within: PythonNode): Loss[] {
  const targets = findOwn(within, "assignment").flatMap((found) => {
    const left = found.childForFieldName("left");
    return left ? listTargets(left) : [];
  });
  const loss = targets.map(({ text }) => text).find(isLossName);
  return loss ? [makeLoss(loss)] : [];
}

export function makeLoss(text: string): Loss {
  return { name: text.split(".").at(-1) ?? text, text, divisor: null, isLoss: true };
}

/** What `backward` is called on, or what is handed to it; without scalers and divisors. */
function readLoss(pass: PythonNode): Loss[] {
  const { receiver } = nameCall(pass);
  const given = listArguments(pass)[0];
  const isHelper = receiver !== null && /accelerator|engine|fabric|^self$|model$/i.test(receiver.text);
  // In brackets an expression may go over several lines; what is written has one.
  const text = peel(isHelper && given ? given : receiver)?.text.replace(/\s+/g, " ") ?? "";
  if (!/^[\w(][\w. +*()-]*$/.test(text) || /\w\(/.test(text)) return [];
  return [/^[\w.]+$/.test(text) ? makeLoss(text) : { ...makeLoss(text), name: "loss" }];
}

function peel(node: PythonNode | null): PythonNode | null {
  if (node?.type === "parenthesized_expression") return peel(node.namedChildren[0] ?? null);
  const isDivided = node?.type === "binary_operator" && node.childForFieldName("operator")?.text === "/";
  if (isDivided) return peel(node.childForFieldName("left"));
  if (node?.type !== "call") return node;
  const { name, receiver } = nameCall(node);
  if (/^(scale|scale_loss)$/.test(name)) return peel(listArguments(node)[0] ?? null);
  return /^(mean|sum)$/.test(name) ? peel(receiver) : node;
}

function unscale(loss: Loss, block: PythonNode): Loss {
  const settings = findOwn(block, ["assignment", "augmented_assignment"]);
  const divisor = settings
    .filter((found) => found.childForFieldName("left")?.text === loss.text)
    .map((found) => readDivisor(found, loss.text))
    .find((found) => found !== null);
  return divisor ? { ...loss, text: `${loss.text} * ${divisor}`, divisor } : loss;
}

/** The divisor of `loss = loss / accumulation_steps` and of `loss /= accumulation_steps`. */
function readDivisor(found: PythonNode, name: string): string | null {
  const right = found.childForFieldName("right");
  const isBinary = right?.type === "binary_operator" && right.childForFieldName("operator")?.text === "/";
  const divisor =
    found.type === "augmented_assignment"
      ? found.childForFieldName("operator")?.text === "/=" && right
      : isBinary && right.childForFieldName("left")?.text === name && right.childForFieldName("right");
  if (!divisor) return null;
  return /accum|micro/i.test(divisor.text) && /^[\w.]+$/.test(divisor.text) ? divisor.text : null;
}
