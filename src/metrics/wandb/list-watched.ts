import type { LoopFramework } from "./find-framework.ts";
import { type FoundMetric, isEvalName, nameEvalMetric, nameTrainMetric } from "./metric-names.ts";
import { findAll, findKeyword, listArguments, nameCall, type PythonNode, readString } from "./python-tree.ts";
import type { ScriptOutline } from "./script-outline.ts";

/** What a framework's callback will have to log, as far as the script says so. */
export function listWatched(
  { root }: ScriptOutline,
  framework: LoopFramework,
): { metrics: FoundMetric[]; samples: string | null } {
  const always = [
    { key: "train/loss", text: "loss" },
    { key: "train/lr", text: "learning_rate" },
  ];
  const named = { lightning: listLogged, "hf-trainer": listComputed, keras: listCompiled }[framework](root);
  const samples = framework === "keras" ? findFittedSize(root) : "batch";
  return { metrics: [...always, ...named.filter(({ key }) => key !== "train/loss")], samples };
}

/** `self.log("val_acc", acc)`, `self.log_dict({"val_loss": loss})`. */
function listLogged(root: PythonNode): FoundMetric[] {
  const calls = findAll(root, "call").filter((call) => /^self\.log(_dict)?$/.test(nameCall(call).path));
  const names = calls.flatMap((call) => {
    const first = listArguments(call)[0];
    if (!first) return [];
    return first.type === "dictionary" ? listKeys(first) : [readString(first)];
  });
  return names.filter((name) => name !== null).map(nameLogged);
}

function nameLogged(name: string): FoundMetric {
  const plain = name.replaceAll(/\W/g, "_");
  const isEval = isEvalName(plain) || /^(val|valid|test|eval)_/.test(plain);
  return { key: isEval ? nameEvalMetric(plain) : nameTrainMetric(plain, { isEpoch: false }), text: name };
}

/** `eval_loss`, and the keys of the dict that `compute_metrics` returns, where there is something to evaluate. */
function listComputed(root: PythonNode): FoundMetric[] {
  const trainers = findAll(root, "call").filter((call) => /Trainer$/.test(nameCall(call).name));
  if (!trainers.some((call) => findKeyword(call, "eval_dataset") !== null)) return [];
  const name = trainers
    .map((call) => findKeyword(call, "compute_metrics")?.text)
    .find((text) => text !== undefined);
  const compute = findAll(root, "function_definition").find(
    (found) => found.childForFieldName("name")?.text === name,
  );
  const returned = compute
    ? findAll(compute, "return_statement").flatMap((found) => findAll(found, "dictionary"))
    : [];
  const keys = returned.flatMap(listKeys).filter((key) => key !== null);
  return ["loss", ...keys].map((key) => ({ key: nameEvalMetric(key), text: `eval_${key}` }));
}

/** `compile(metrics=["accuracy"])`, for the training and, where `fit` is given something, for the validation. */
function listCompiled(root: PythonNode): FoundMetric[] {
  const calls = findAll(root, "call");
  const compiled = calls
    .filter((call) => nameCall(call).name === "compile")
    .map((call) => findKeyword(call, "metrics"));
  const names = compiled
    .flatMap((list) => (list ? findAll(list, "string").map(readString) : []))
    .filter((name) => name !== null);
  const isValidated = calls.some(
    (call) =>
      nameCall(call).name === "fit" &&
      (findKeyword(call, "validation_split") ?? findKeyword(call, "validation_data")),
  );
  const train = names.map((name) => ({ key: nameTrainMetric(name, { isEpoch: false }), text: name }));
  const evaluated = ["loss", ...names].map((name) => ({ key: nameEvalMetric(name), text: `val_${name}` }));
  return isValidated ? [...train, ...evaluated] : train;
}

function listKeys(dictionary: PythonNode): (string | null)[] {
  return findAll(dictionary, "pair").map((pair) => readString(pair.childForFieldName("key")));
}

function findFittedSize(root: PythonNode): string | null {
  const fits = findAll(root, "call").filter((call) => nameCall(call).name === "fit");
  return fits.map((call) => findKeyword(call, "batch_size")?.text).find((text) => text !== undefined) ?? null;
}
