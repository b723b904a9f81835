import { makeSettings } from "../../base/script.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { type BuildStep, type HostBuildTerms, makeBuildSteps } from "./build-steps.ts";
import { makeEnterLines } from "./enter-lines.ts";
import checkSystem from "./scripts/check-system.sh";
import findConda from "./scripts/find-conda.sh";
import findPython from "./scripts/find-python.sh";
import findUv from "./scripts/find-uv.sh";
import { makeVariableLines } from "./variables.ts";

/** The names of the steps of a build, in their order: `system`, `python`, `pip 1`, `run 1`. */
export function listBuildSteps(spec: EnvSpec): string[] {
  return makeBuildSteps(spec, { tool: "venv", python: null }).map(({ name }) => name);
}

/**
 * POSIX sh text that builds the environment of a spec at `$sortie_prefix`, which must not be there yet. Above it:
 * `sortie_prefix` and `sortie_project` (both absolute; every step runs in the project), and the function
 * `sortie_step NAME`, called before each step with a name of `listBuildSteps`. A step that fails ends the shell (`exit`)
 * with the code of what failed, its last line on stderr naming the step; after the last one the text just ends.
 */
export function renderHostBuild(spec: EnvSpec, terms: HostBuildTerms): string {
  const steps = makeBuildSteps(spec, terms);
  return [
    makeSettings({ sortie_python: terms.python ?? "" }),
    ...makeVariableLines(spec, { project: '"$sortie_project"' }),
    OWN_PLACE,
    FAIL,
    ...(spec.systemPkgs.length > 0 && terms.systemPkgs !== "install" ? [checkSystem] : []),
    { venv: findPython, uv: findUv, conda: findConda }[terms.tool],
    ...steps.map(({ function: name, body }) => `${name}() {\n${body.map((line) => `  ${line}\n`).join("")}}`),
    'cd "$sortie_project" || exit',
    ...steps.map((step) => callStep(step, terms)),
    "",
  ].join("\n");
}

/** A person's pip may be set to install elsewhere. */
const OWN_PLACE = "export PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0\nunset PIP_TARGET PIP_PREFIX PIP_ROOT";

const FAIL = `sortie_fail() {
  echo "sortie: the step \\"$1\\" failed with code $2" >&2
  exit "$2"
}`;

function callStep({ name, function: called }: BuildStep, terms: HostBuildTerms): string {
  const call = `sortie_step '${name}'\n${called} </dev/null || sortie_fail '${name}' $?`;
  if (name !== "python") return call;
  return [call, ...makeEnterLines(terms).map((line) => `{ ${line}\n} || sortie_fail python $?`)].join("\n");
}
