import { checkSmoke } from "./check-smoke.ts";
import { type Found, readFields, readFlag, readList, readText, readVariableName } from "./check-value.ts";
import type { EnvSpec, WeightDir } from "./env-spec.ts";
import type { Refuse } from "./refusal.ts";
import type { YamlValue } from "./yaml/value.ts";

const KEYS = ["base", "system_pkgs", "pip_phases", "env", "run_commands", "weight_dirs", "smoke"] as const;

/** The specification that a value is. @throws spec_bad with line, what was expected and what was found */
export function checkSpec(value: YamlValue, refuse: Refuse): EnvSpec {
  if (value === null)
    throw refuse(null, "it is empty", `Say at least what to install; its keys are ${KEYS.join(", ")}.`);
  const fields = readFields({ value, line: 1, at: "it", refuse }, KEYS);
  return {
    base: fields.base ? readText(fields.base) : null,
    systemPkgs: readList(fields.system_pkgs, readText),
    pipPhases: readList(fields.pip_phases, readPhase),
    env: fields.env ? readVariables(fields.env) : {},
    runCommands: readList(fields.run_commands, readText),
    weightDirs: readList(fields.weight_dirs, readWeightDir),
    smoke: checkSmoke(fields.smoke),
  };
}

function readPhase(found: Found): readonly string[] {
  if (typeof found.value === "string")
    throw found.refuse(
      found.line,
      `${found.at} is a text, but a phase is a list of what one pip install is given`,
      'Put the phase in brackets, such as - ["torch==2.3.1", "numpy<2"].',
    );
  const words = readList(found, readText);
  if (words.length === 0)
    throw found.refuse(found.line, `${found.at} installs nothing`, "Remove that phase.");
  return words;
}

function readVariables(found: Found): Readonly<Record<string, string>> {
  const variables: [string, string][] = [];
  for (const [name, value] of Object.entries<Found | undefined>(readFields(found, null)))
    if (value) variables.push([readVariableName({ ...value, value: name }), readVariable(value)]);
  return Object.fromEntries(variables);
}

/** A whole number needs no quotes: it means the same with them. */
function readVariable(found: Found): string {
  return typeof found.value === "bigint" ? String(found.value) : readText(found, { mayBeEmpty: true });
}

function readWeightDir(found: Found): WeightDir {
  const fields = readFields(found, ["path", "source", "gated", "env"]);
  if (!fields.path)
    throw found.refuse(found.line, `${found.at} has no \`path\``, "Say where the weights lie: path: FOLDER.");
  return {
    path: readText(fields.path),
    source: fields.source ? readText(fields.source) : null,
    gated: fields.gated ? readFlag(fields.gated) : false,
    env: fields.env ? readVariableName(fields.env) : null,
  };
}
