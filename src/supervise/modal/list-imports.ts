import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findAll, listStatements, type PythonNode, parsePython } from "../../metrics/wandb/python-tree.ts";
import { STANDARD_MODULES } from "./standard-modules.ts";

const MOST_FILES = 200;

/**
 * The modules that a script needs beside Python's own and those that lie beside it, through these, too; sorted. An import
 * that the script does without (`try`) counts as well: nothing tells that it can.
 */
export async function listForeignImports(script: string): Promise<string[]> {
  const folder = dirname(script);
  const foreign = new Set<string>();
  const seen = new Set<string>();
  const due = [script];
  for (let path = due.pop(); path !== undefined && seen.size < MOST_FILES; path = due.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const module of await listImports(path)) {
      const here = findBeside(folder, module);
      const [top = ""] = module.split(".");
      if (here !== null) due.push(here);
      else if (!STANDARD_MODULES.has(top) && !existsSync(join(folder, top))) foreign.add(top);
    }
  }
  return [...foreign].sort();
}

/** Those that are named with dots alone (`from . import x`) lie beside it in any case. */
async function listImports(path: string): Promise<string[]> {
  const found = await parsePython(readFileSync(path, "utf8"), (root) => [
    ...findAll(root, "import_statement").flatMap((node) => listStatements(node).map(nameModule)),
    ...findAll(root, "import_from_statement").map(
      (node) => node.childForFieldName("module_name")?.text ?? "",
    ),
  ]);
  return found.filter((name) => name !== "" && !name.startsWith("."));
}

function nameModule(node: PythonNode): string {
  return node.childForFieldName("name")?.text ?? node.text;
}

function findBeside(folder: string, module: string): string | null {
  const path = join(folder, ...module.split("."));
  return [`${path}.py`, join(path, "__init__.py")].find((file) => existsSync(file)) ?? null;
}
