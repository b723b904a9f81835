import { findParsed } from "./parsed-arguments.ts";
import { findAll, lineOf, listArguments, listAround, nameCall, type PythonNode } from "./python-tree.ts";
import { makeHanded, type ScriptArguments } from "./script-arguments.ts";
import type { ScriptOutline } from "./script-outline.ts";

const NAMES =
  /^(args?|cfg|config|conf|hparams?|hps?|opts?|params|hyperparameters|hyperparams|parsed|flags|settings|train_config)$/i;

const HANDS_CONFIG = /\b(hydra\.main|hydra_main|hydra_runner|(draccus|pyrallis|parser)\.wrap)\b/;
const IS_COMMAND = /^\w+\.command\b/;

const MAKES_CONFIG =
  /(^|\.)(safe_load|loads?|OmegaConf\.\w+|(load|get|read)_config|(Simple)?Namespace|dict|ConfigDict|\w*(Config|Args|Arguments|Params|Settings|HParams))$/;

/** The parsed arguments or the configuration that the script reads, the first that fits. */
export function findArguments(outline: ScriptOutline): ScriptArguments | null {
  return (
    findDecorated(outline) ??
    findParsed(outline) ??
    findFlags(outline) ??
    findFire(outline) ??
    findConfig(outline)
  );
}

/** `@hydra.main` hands the configuration over; with click and typer the parameters are the arguments. */
function findDecorated({ functions }: ScriptOutline): ScriptArguments | null {
  for (const scope of functions) {
    const first = scope.parameters[0];
    if (first === undefined) continue;
    if (scope.decorators.some((text) => HANDS_CONFIG.test(text))) return makeHanded(scope, "hydra", first);
    if (scope.decorators.some((text) => IS_COMMAND.test(text)))
      return makeHanded(scope, "function", "locals()");
  }
  return null;
}

/** absl: `app.run(main)` with `FLAGS = flags.FLAGS`. */
function findFlags(outline: ScriptOutline): ScriptArguments | null {
  const { root, functions } = outline;
  const run = findAll(root, "call").find((call) => nameCall(call).path === "app.run");
  const flags = findAll(root, "assignment").find((found) =>
    /^(flags|absl\.flags)\.FLAGS$/.test(found.childForFieldName("right")?.text ?? ""),
  );
  const name = flags?.childForFieldName("left")?.text;
  const given = run && listArguments(run)[0]?.text;
  const scope = functions.find((found) => found.name === given);
  if (!run || !name || !scope) return null;
  return makeHanded(scope, "flags", name, `${name}.flag_values_dict()`);
}

/** `fire.Fire(train)`: the parameters are the arguments. */
function findFire({ root, functions }: ScriptOutline): ScriptArguments | null {
  const fire = findAll(root, "call").find((call) =>
    /^(fire\.Fire|Fire|typer\.run)$/.test(nameCall(call).path),
  );
  const given = fire && listArguments(fire)[0]?.text;
  const scope = functions.find((found) => found.name === given);
  if (!fire || !scope || scope.parameters.length === 0) return null;
  return makeHanded(scope, "function", "locals()");
}

/** `config = {...}`, `cfg = yaml.safe_load(f)`, `cfg = OmegaConf.load(...)`, `config = TrainConfig()`. */
function findConfig(outline: ScriptOutline): ScriptArguments | null {
  for (const assignment of findAll(outline.root, "assignment")) {
    const left = assignment.childForFieldName("left");
    const right = assignment.childForFieldName("right");
    const statement = assignment.parent;
    if (left?.type !== "identifier" || !right || statement?.type !== "expression_statement") continue;
    if (!NAMES.test(left.text) || !isConfigValue(right)) continue;
    if (listAround(statement)[0]?.block.parent?.type === "class_definition") continue;
    const kind = right.type === "dictionary" ? "dict" : "object";
    const scope = outline.scopeOf(assignment);
    return { kind, text: left.text, config: left.text, line: lineOf(assignment), scope, statement };
  }
  return null;
}

function isConfigValue(value: PythonNode): boolean {
  if (value.type === "dictionary") return value.namedChildCount > 0;
  return value.type === "call" && MAKES_CONFIG.test(nameCall(value).path);
}
