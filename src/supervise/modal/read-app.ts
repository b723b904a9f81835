import {
  findAll,
  findKeyword,
  lineOf,
  listStatements,
  nameCall,
  type PythonNode,
  parsePython,
} from "../../metrics/wandb/python-tree.ts";
import { type Constants, listConstants, listNamed, readNumber, readStrings } from "./python-values.ts";

/** What `modal run` can start in a file, and on what it runs. */
export interface ModalAppFile {
  /** The variables that hold an app. */
  readonly apps: readonly string[];
  readonly entryPoints: readonly ModalEntry[];
  readonly functions: readonly ModalFunction[];
}

/** A local entry point: it runs at home and calls functions. */
export interface ModalEntry {
  readonly name: string;
  readonly line: number;
  /** `any`: it has `*args`. `options`: parameters with names, or none; see `makeRunArguments`. */
  readonly takes: "any" | "options";
}

/** A function of the app, or a method of a class of it (`Class.method`). */
export interface ModalFunction extends ModalEntry {
  /** As written, the first that is to be had is taken; empty: none. `unknown`: only running it would tell. */
  readonly gpus: readonly string[] | "unknown";
  /** null: nothing is said, so Modal's default. */
  readonly timeoutS: number | null | "unknown";
  readonly volumes: readonly string[];
  readonly secrets: readonly string[];
}

/** What a call of `modal run` starts. */
export interface ModalStart {
  readonly entry: ModalEntry;
  /** It, or where a local entry point is started every function, since any may be called. */
  readonly functions: readonly ModalFunction[];
}

/** Reads a Python file that defines a Modal app, without running it; null: it defines none. */
export function readModalApp(text: string): Promise<ModalAppFile | null> {
  return parsePython(text, (root) => {
    const words = listModalWords(root);
    const constants = listConstants(root);
    const apps = findApps(root, words);
    if (apps.size === 0) return null;
    const defined = findAll(root, "decorated_definition").flatMap((node) =>
      readDefinition(node, { apps, constants }),
    );
    const isFunction = (entry: ModalEntry | ModalFunction): entry is ModalFunction => "gpus" in entry;
    return {
      apps: [...apps.keys()],
      entryPoints: defined.filter((entry) => !isFunction(entry)),
      functions: defined.filter(isFunction),
    };
  });
}

/** What starts: the function that is named (`app.` before it is left out), or the only one there is; null: that is not clear. */
export function findStart(file: ModalAppFile, name: string | null): ModalStart | null {
  const { apps, entryPoints, functions } = file;
  const bare = apps.reduce(
    (text, app) => (text?.startsWith(`${app}.`) ? text.slice(app.length + 1) : text),
    name,
  );
  const among = bare === null ? entryPoints : entryPoints.filter((entry) => entry.name === bare);
  if (among.length === 1) return { entry: among[0] as ModalEntry, functions };
  if (among.length > 1) return null;
  const methods = bare === null ? functions : functions.filter((entry) => isNamed(entry.name, bare));
  const [only] = methods;
  return methods.length === 1 && only !== undefined ? { entry: only, functions: [only] } : null;
}

/** A class with one method may be named alone. */
function isNamed(name: string, asked: string): boolean {
  return name === asked || name.startsWith(`${asked}.`);
}

/** How the file calls the module `modal`, and what it has from it: `m.App` for `import modal as m`. */
function listModalWords(root: PythonNode): ReadonlySet<string> {
  const words = new Set<string>();
  for (const node of findAll(root, "import_statement"))
    for (const part of listStatements(node)) {
      const alias = part.childForFieldName("alias")?.text;
      const name = part.childForFieldName("name")?.text ?? part.text;
      if (name === "modal") words.add(`${alias ?? "modal"}.App`);
    }
  for (const node of findAll(root, "import_from_statement")) {
    if (node.childForFieldName("module_name")?.text !== "modal") continue;
    for (const part of listStatements(node).slice(1)) {
      const name = part.childForFieldName("name")?.text ?? part.text;
      if (name === "App") words.add(part.childForFieldName("alias")?.text ?? "App");
    }
  }
  return words;
}

/** The calls that make apps, by the variables that hold them. */
function findApps(root: PythonNode, words: ReadonlySet<string>): ReadonlyMap<string, PythonNode> {
  const apps = new Map<string, PythonNode>();
  for (const node of findAll(root, "assignment")) {
    const left = node.childForFieldName("left");
    const right = node.childForFieldName("right");
    if (left?.type === "identifier" && right?.type === "call" && words.has(nameCall(right).path))
      apps.set(left.text, right);
  }
  return apps;
}

interface Scope {
  readonly apps: ReadonlyMap<string, PythonNode>;
  readonly constants: Constants;
}

function readDefinition(node: PythonNode, scope: Scope): (ModalEntry | ModalFunction)[] {
  const definition = node.childForFieldName("definition");
  const name = definition?.childForFieldName("name")?.text;
  if (definition === null || definition === undefined || name === undefined) return [];
  for (const call of listDecorators(node)) {
    const { receiver, name: what } = nameCall(call);
    const app = receiver?.type === "identifier" ? scope.apps.get(receiver.text) : undefined;
    if (app === undefined) continue;
    if (what === "local_entrypoint") return [describeEntry(name, definition)];
    const terms = () => readTerms(call, app, scope.constants);
    if (what === "function") return [{ ...describeEntry(name, definition), ...terms() }];
    if (what === "cls") return listMethods(name, definition).map((entry) => ({ ...entry, ...terms() }));
  }
  return [];
}

function listDecorators(node: PythonNode): PythonNode[] {
  return listStatements(node)
    .filter(({ type }) => type === "decorator")
    .flatMap((decorator) => decorator.namedChild(0) ?? [])
    .filter(({ type }) => type === "call");
}

function listMethods(owner: string, definition: PythonNode): ModalEntry[] {
  return findAll(definition, "decorated_definition").flatMap((node) => {
    const method = node.childForFieldName("definition");
    const name = method?.childForFieldName("name")?.text;
    const isMethod = listDecorators(node).some((call) => nameCall(call).name === "method");
    return isMethod && method && name !== undefined ? [describeEntry(`${owner}.${name}`, method)] : [];
  });
}

function describeEntry(name: string, definition: PythonNode): ModalEntry {
  const parameters = definition.childForFieldName("parameters");
  const isAny = parameters !== null && takesAny(parameters);
  return { name, line: lineOf(definition), takes: isAny ? "any" : "options" };
}

function takesAny(parameters: PythonNode): boolean {
  return listStatements(parameters).some(
    ({ type, text }) => type === "list_splat_pattern" || (type === "typed_parameter" && /^\*[^*]/.test(text)),
  );
}

type Terms = Pick<ModalFunction, "gpus" | "timeoutS" | "volumes" | "secrets">;

/** Volumes and secrets that the app names are every function's. */
function readTerms(call: PythonNode, app: PythonNode, constants: Constants): Terms {
  const gpu = findKeyword(call, "gpu");
  const timeout = findKeyword(call, "timeout");
  const isSpread = findAll(call, "dictionary_splat").length > 0;
  const both = (keyword: string, kind: string) => [
    ...new Set([app, call].flatMap((from) => listNamed(findKeyword(from, keyword), kind, constants))),
  ];
  const missing = isSpread ? "unknown" : null;
  return {
    gpus: gpu === null || gpu.type === "none" ? (missing ?? []) : (readStrings(gpu, constants) ?? "unknown"),
    timeoutS: timeout === null ? missing : (readNumber(timeout, constants) ?? "unknown"),
    volumes: both("volumes", "Volume"),
    secrets: both("secrets", "Secret"),
  };
}
