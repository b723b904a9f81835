import { findAll, lineOf, nameCall, type PythonNode, readString } from "./python-tree.ts";

/**
 * What of a script already logs to W&B, or is in its way: `name` is something of its own that is called like the package.
 * `line` counts from 1, `text` is that line's statement.
 */
export interface WandbUse {
  by: "import" | "init" | "call" | "logger" | "report_to" | "name";
  line: number;
  text: string;
}

/** The first use of W&B: its package, its `init`, Lightning's WandbLogger, or Hugging Face's `report_to`. A bare name comes last. */
export function findWandb(root: PythonNode): WandbUse | null {
  const uses = [
    ...findImports(root),
    ...findAll(root, "call").flatMap(findInCall),
    ...findAll(root, "keyword_argument").flatMap(findReport),
    ...findAll(root, "identifier").flatMap(findName),
  ];
  const rank = ({ by }: WandbUse) => (by === "name" ? 1 : 0);
  return uses.sort((a, b) => rank(a) - rank(b) || a.line - b.line)[0] ?? null;
}

function findImports(root: PythonNode): WandbUse[] {
  return findAll(root, ["import_statement", "import_from_statement"])
    .filter((node) => /\bwandb\b|\bWandb(Logger|Callback)\b/.test(node.text))
    .map((node) => makeUse(/\bWandb/.test(node.text) ? "logger" : "import", node));
}

function findInCall(call: PythonNode): WandbUse[] {
  const { path, name } = nameCall(call);
  if (path === "wandb.init") return [makeUse("init", call)];
  if (path.startsWith("wandb.")) return [makeUse("call", call)];
  return /^Wandb(Logger|Callback)$/.test(name) ? [makeUse("logger", call)] : [];
}

/** `report_to="wandb"`, `report_to=["tensorboard", "wandb"]`, `"all"`, and Accelerate's `log_with`. */
function findReport(argument: PythonNode): WandbUse[] {
  const name = argument.childForFieldName("name")?.text ?? "";
  const value = argument.childForFieldName("value");
  if (value === null || !isReportName(name, argument)) return [];
  const strings = value.type === "string" ? [value] : findAll(value, "string");
  const names = strings.map(readString);
  return names.includes("wandb") || names.includes("all") ? [makeUse("report_to", argument)] : [];
}

/** Also the default of a flag: `add_argument("--report_to", default="wandb")`. */
function isReportName(name: string, argument: PythonNode): boolean {
  if (name === "report_to" || name === "log_with") return true;
  return name === "default" && /--(report[_-]to|log[_-]with|logger)["']/.test(argument.parent?.text ?? "");
}

/** Something of the script's own by the name of the package: with an `import wandb` there would be two. */
function findName(identifier: PythonNode): WandbUse[] {
  const isAttribute =
    identifier.parent?.type === "attribute" &&
    identifier.parent.childForFieldName("object")?.id !== identifier.id;
  const isKeyword =
    identifier.parent?.type === "keyword_argument" &&
    identifier.parent.childForFieldName("name")?.id === identifier.id;
  return identifier.text === "wandb" && !isAttribute && !isKeyword ? [makeUse("name", identifier)] : [];
}

function makeUse(by: WandbUse["by"], node: PythonNode): WandbUse {
  return { by, line: lineOf(node), text: node.text.split("\n")[0] ?? "" };
}
