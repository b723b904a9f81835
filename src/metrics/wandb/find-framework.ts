import { findAll, listAround, nameCall, type PythonNode } from "./python-tree.ts";
import type { ScriptArguments } from "./script-arguments.ts";
import type { ScriptOutline, ScriptScope } from "./script-outline.ts";

/** A framework that has the training loop. */
export type LoopFramework = "lightning" | "hf-trainer" | "keras";
export type Framework = "plain" | "argparse" | "hydra" | LoopFramework;

/** An object of a framework that trains: its loop is not in the script, its callbacks are the way in. */
export interface WatchedObject {
  /** The expression for the object. */
  text: string;
  /** The statement that makes it (the callback is added after it) or that trains with it (before it). */
  statement: PythonNode;
  where: "after" | "before";
  scope: ScriptScope;
}

/** The framework whose loop does the training; null: the script has its own. */
export function findLoopFramework(root: PythonNode): LoopFramework | null {
  const imports = findAll(root, ["import_statement", "import_from_statement"]).map(({ text }) => text);
  const own = listOwnClasses(root);
  const trainers = findAll(root, "call")
    .map((call) => nameCall(call).name)
    .filter((name) => /Trainer$/.test(name) && !own.includes(name));
  const imported = (pattern: RegExp) => imports.some((text) => pattern.test(text));
  if (trainers.length > 0 && imported(/\b(pytorch_lightning|lightning)\b/)) return "lightning";
  if (trainers.length > 0 && imported(/\b(transformers|trl)\b/)) return "hf-trainer";
  return imported(/\bkeras\b|\btensorflow\b/) && listFits(root).length > 0 ? "keras" : null;
}

/** Classes that the script makes without one of a framework's trainers. */
function listOwnClasses(root: PythonNode): string[] {
  const classes = findAll(root, "class_definition").filter(
    (found) => !/Trainer\b/.test(found.childForFieldName("superclasses")?.text ?? ""),
  );
  return classes.map((found) => found.childForFieldName("name")?.text ?? "");
}

/** How the script gets its parameters, where no framework has the loop. */
export function nameFramework(loop: LoopFramework | null, args: ScriptArguments | null): Framework {
  if (loop) return loop;
  if (args?.kind === "hydra") return "hydra";
  return args?.kind === "argparse" ? "argparse" : "plain";
}

/** The trainers that are made and kept by a name, and for Keras the models that are fitted. */
export function findWatched(outline: ScriptOutline, framework: LoopFramework): WatchedObject[] {
  return framework === "keras" ? findFitted(outline) : findTrainers(outline);
}

function findTrainers(outline: ScriptOutline): WatchedObject[] {
  return findAll(outline.root, "call").flatMap((call) => {
    const assignment = call.parent;
    const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : null;
    const isTrainer = /Trainer$/.test(nameCall(call).name);
    if (!isTrainer || !left || !/^[\w.]+$/.test(left.text) || !assignment?.parent) return [];
    return [{ text: left.text, statement: assignment.parent, where: "after", scope: outline.scopeOf(call) }];
  });
}

function findFitted(outline: ScriptOutline): WatchedObject[] {
  return listFits(outline.root).flatMap((call) => {
    const { receiver } = nameCall(call);
    const statement = listAround(call)[0]?.statement;
    if (!receiver || !statement || !/^[\w.]+$/.test(receiver.text)) return [];
    return [{ text: receiver.text, statement, where: "before", scope: outline.scopeOf(call) }];
  });
}

function listFits(root: PythonNode): PythonNode[] {
  return findAll(root, "call").filter((call) => {
    const { name, receiver } = nameCall(call);
    return (
      name === "fit" &&
      receiver !== null &&
      !/scaler|encoder|tokenizer|pca|vectorizer|imputer/i.test(receiver.text)
    );
  });
}
