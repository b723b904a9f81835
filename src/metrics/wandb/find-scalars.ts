import { type FoundMetric, isEvalName, nameEvalMetric, nameTrainMetric } from "./metric-names.ts";
import { findAll, listArguments, listAround, nameCall, type PythonNode, readString } from "./python-tree.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";

/** A number that the script gives to TensorBoard. */
export interface ScriptScalar {
  scope: ScriptScope;
  block: PythonNode;
  statement: PythonNode;
  metric: FoundMetric;
}

/** What each step logs anyway, and nothing else may be mixed into. */
const PER_STEP = new Set(["train/loss", "train/lr"]);

/** `writer.add_scalar("loss/train", loss.item(), step)`, where reading the number again does nothing else. */
export function findScalars(outline: ScriptOutline): ScriptScalar[] {
  return findAll(outline.root, "call").flatMap((call) => {
    const around = listAround(call)[0];
    const [tag, value] = listArguments(call);
    const name = readString(tag ?? null);
    if (nameCall(call).name !== "add_scalar" || !around || !name || !value || !isPlain(value)) return [];
    const key = nameTag(name);
    if (PER_STEP.has(key)) return [];
    return [{ scope: outline.scopeOf(call), ...around, metric: { key, text: value.text } }];
  });
}

/** Names, attributes, items, numbers and sums of them; of calls only those that read a number. */
function isPlain(value: PythonNode): boolean {
  if (!/^[\w.\s+*/()[\]"'-]+$/.test(value.text) || value.text.includes("\n")) return false;
  const calls = value.type === "call" ? [value, ...findAll(value, "call")] : findAll(value, "call");
  return calls.every((call) =>
    /^(item|mean|sum|cpu|detach|float|len|get_last_lr)$/.test(nameCall(call).name),
  );
}

/** A tag in a group keeps its name, but for what would end the string that is written; any other gets the group of its words. */
function nameTag(tag: string): string {
  if (tag.includes("/")) return tag.replaceAll(/["\\\p{Cc}]/gu, "_");
  const plain = tag.replaceAll(/\W/g, "_");
  return isEvalName(plain) ? nameEvalMetric(plain) : nameTrainMetric(plain, { isEpoch: false });
}
