import { type FoundMetric, nameEvalMetric, nameTrainMetric } from "./metric-names.ts";
import { findAll, nameCall, readString } from "./python-tree.ts";
import type { ScriptOutline } from "./script-outline.ts";

/**
 * What a function of the script gives back under one name, a number or a dict of numbers, as a metric. Where the function
 * returns a dict as it stands there, its keys are known.
 */
export function nameResult(outline: ScriptOutline, name: string, group: "train" | "eval"): FoundMetric {
  const keys = listReturnedKeys(outline, name);
  const named = keys.map((key) =>
    group === "eval" ? nameEvalMetric(key) : nameTrainMetric(key, { isEpoch: false }),
  );
  const alone = group === "eval" ? "eval/score" : "train/loss";
  return { key: alone, text: name, ...(keys.length > 0 ? { parts: [...new Set(named)] } : {}) };
}

function listReturnedKeys({ root, functions }: ScriptOutline, name: string): string[] {
  const assignments = findAll(root, "assignment").filter(
    (found) => found.childForFieldName("left")?.text === name,
  );
  const called = assignments.flatMap((found) => {
    const right = found.childForFieldName("right");
    const call = right?.type === "await" ? right.namedChildren[0] : right;
    return call?.type === "call" ? [nameCall(call).name] : [];
  });
  const returned = functions
    .filter((scope) => called.includes(scope.name))
    .flatMap((scope) => findAll(scope.node, "return_statement"))
    .map((statement) => statement.namedChildren[0])
    .filter((value) => value?.type === "dictionary");
  const pairs = returned.flatMap((value) => (value ? findAll(value, "pair") : []));
  return pairs.map((pair) => readString(pair.childForFieldName("key"))).filter((key) => key !== null);
}
