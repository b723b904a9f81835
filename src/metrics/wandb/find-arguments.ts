import { findAll, lineOf, listAround, listStatements, nameCall, type PythonNode } from "./python-tree.ts";
import { listTargets, type ScriptOutline, type ScriptScope } from "./script-outline.ts";

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

const PARSE =
  /^(parse_args|parse_known_args|parse_args_into_dataclasses|parse_intermixed_args|parse_args_and_config)$/;
const NAMES =
  /^(args?|cfg|config|conf|hparams?|hps?|opts?|params|hyperparameters|hyperparams|parsed|flags|settings|train_config)$/i;

/** The parsed arguments or the configuration that the script reads, the first that fits. */
export function findArguments(outline: ScriptOutline): ScriptArguments | null {
  const parsed = findParsed(outline);
  return findDecorated(outline) ?? parsed ?? findFlags(outline) ?? findFire(outline) ?? findConfig(outline);
}

/** `@hydra.main` hands the configuration over; with click and typer the parameters are the arguments. */
function findDecorated({ functions }: ScriptOutline): ScriptArguments | null {
  for (const scope of functions) {
    const isHydra = scope.decorators.some((text) =>
      /\b(hydra\.main|hydra_main|hydra_runner|parse_config|draccus\.wrap|pyrallis\.wrap|parser\.wrap)\b/.test(
        text,
      ),
    );
    const first = scope.parameters[0];
    if (isHydra && first)
      return { kind: "hydra", text: first, config: first, line: lineOf(scope.node), scope, statement: null };
    const isClick = scope.decorators.some((text) =>
      /^(click\.command|app\.command|typer|\w+\.command)\b/.test(text),
    );
    if (isClick && scope.parameters.length > 0)
      return {
        kind: "function",
        text: "locals()",
        config: "locals()",
        line: lineOf(scope.node),
        scope,
        statement: null,
      };
  }
  return null;
}

/** `args = parser.parse_args()`, also through a function of the script that gives it back or is given it. */
function findParsed(outline: ScriptOutline): ScriptArguments | null {
  const calls = findAll(outline.root, "call");
  const parses = calls.filter(
    (call) =>
      PARSE.test(nameCall(call).name) ||
      /^(tyro\.cli|simple_parsing\.parse|pyrallis\.parse|tap)$/.test(nameCall(call).path),
  );
  const makers = outline.functions.filter((scope) =>
    parses.some((call) => outline.scopeOf(call) === scope && isGivenBack(call, scope)),
  );
  const handed = calls.filter((call) => makers.some(({ name }) => nameCall(call).name === name));
  for (const call of [...handed, ...parses.filter((parse) => !makers.includes(outline.scopeOf(parse)))]) {
    const found = findAssigned(outline, call) ?? findHanded(outline, call);
    if (found) return found;
  }
  return null;
}

/** Whether a function returns what it parsed. */
function isGivenBack(call: PythonNode, scope: ScriptScope): boolean {
  const returned = findAll(scope.node, "return_statement");
  const target = findTarget(call)?.name;
  return returned.some(
    (statement) =>
      statement.text.includes(call.text) ||
      (target !== undefined && new RegExp(`\\b${target}\\b`).test(statement.text)),
  );
}

function findTarget(call: PythonNode): { name: string; config: string; statement: PythonNode } | null {
  const assignment = call.parent;
  if (assignment?.type !== "assignment" || assignment.parent?.type !== "expression_statement") return null;
  const left = assignment.childForFieldName("left");
  const names = left ? listTargets(left).map(({ text }) => text) : [];
  const [first] = names;
  if (first === undefined) return null;
  const isSeveral = names.length > 1 && nameCall(call).name === "parse_args_into_dataclasses";
  const config = isSeveral ? `{${names.map((name) => `**vars(${name})`).join(", ")}}` : first;
  return { name: first, config, statement: assignment.parent };
}

function findAssigned(outline: ScriptOutline, call: PythonNode): ScriptArguments | null {
  const target = findTarget(call);
  if (target === null) return null;
  return {
    kind: "argparse",
    text: target.name,
    config: target.config,
    line: lineOf(call),
    scope: outline.scopeOf(call),
    statement: target.statement,
  };
}

/** `main(parse_args())`: the arguments are the first parameter of `main`. */
function findHanded(outline: ScriptOutline, call: PythonNode): ScriptArguments | null {
  const outer = call.parent?.type === "argument_list" ? call.parent.parent : null;
  if (outer?.type !== "call") return null;
  const scope = outline.functions.find(({ name }) => name === nameCall(outer).name);
  const first = scope?.parameters[0];
  if (!scope || !first) return null;
  return { kind: "argparse", text: first, config: first, line: lineOf(call), scope, statement: null };
}

/** absl: `app.run(main)` with `FLAGS = flags.FLAGS`. */
function findFlags(outline: ScriptOutline): ScriptArguments | null {
  const { root, functions } = outline;
  const run = findAll(root, "call").find((call) => nameCall(call).path === "app.run");
  const flags = findAll(root, "assignment").find((found) =>
    /^(flags|absl\.flags)\.FLAGS$/.test(found.childForFieldName("right")?.text ?? ""),
  );
  const name = flags?.childForFieldName("left")?.text;
  const given = run && listStatements(run.childForFieldName("arguments") ?? run)[0]?.text;
  const scope = functions.find((found) => found.name === given);
  if (!run || !name || !scope) return null;
  return {
    kind: "flags",
    text: name,
    config: `${name}.flag_values_dict()`,
    line: lineOf(run),
    scope,
    statement: null,
  };
}

/** `fire.Fire(train)`: the parameters are the arguments. */
function findFire({ root, functions }: ScriptOutline): ScriptArguments | null {
  const fire = findAll(root, "call").find((call) =>
    /^(fire\.Fire|Fire|typer\.run)$/.test(nameCall(call).path),
  );
  const given = fire && listStatements(fire.childForFieldName("arguments") ?? fire)[0]?.text;
  const scope = functions.find((found) => found.name === given);
  if (!fire || !scope || scope.parameters.length === 0) return null;
  return {
    kind: "function",
    text: "locals()",
    config: "locals()",
    line: lineOf(scope.node),
    scope,
    statement: null,
  };
}

/** `config = {...}`, `cfg = yaml.safe_load(f)`, `cfg = OmegaConf.load(...)`, `config = TrainConfig()`. */
function findConfig(outline: ScriptOutline): ScriptArguments | null {
  for (const assignment of findAll(outline.root, "assignment")) {
    const left = assignment.childForFieldName("left");
    const right = assignment.childForFieldName("right");
    const statement = assignment.parent;
    if (left?.type !== "identifier" || !right || statement?.type !== "expression_statement") continue;
    if (!NAMES.test(left.text) || !isConfigValue(right)) continue;
    const around = listAround(statement)[0];
    if (!around || !/^(module|block)$/.test(around.block.type)) continue;
    const scope = outline.scopeOf(assignment);
    if (around.block.parent?.type === "class_definition") continue;
    return {
      kind: right.type === "dictionary" ? "dict" : "object",
      text: left.text,
      config: left.text,
      line: lineOf(assignment),
      scope,
      statement,
    };
  }
  return null;
}

function isConfigValue(value: PythonNode): boolean {
  if (value.type === "dictionary") return value.namedChildCount > 0;
  if (value.type !== "call") return false;
  const { path } = nameCall(value);
  return /(safe_load|json\.loads?|yaml\.load|OmegaConf\.\w+|load_config|get_config|read_config|Namespace|SimpleNamespace|dict|ConfigDict|(Config|Args|Arguments|Params|Settings|HParams))$/.test(
    path,
  );
}
