import { quotePath } from "../../base/quote.ts";
import type { Activation } from "../../env/activation.ts";
import type { ReadyEnvironment } from "../../env/build/environment-status.ts";
import { makeVariableLines } from "../../env/render/variables.ts";
import type { EnvSpec } from "../../env/spec/env-spec.ts";

export interface EntryTerms {
  readonly spec: EnvSpec;
  /** The project's folder on the host. */
  readonly project: string;
  /** Variables that a person has given for a run: those of the specification do not replace them. */
  readonly given: readonly string[];
}

/** What of a built environment is needed to enter it. */
export type Built = Pick<ReadyEnvironment, "name" | "hash" | "tool" | "prefix">;

/** How a shell enters an environment that Sortie has built. What the person has of Python beside it is left out. */
export function enterBuilt({ name, hash, tool, prefix }: Built, terms: EntryTerms): Activation {
  const others = ["PYTHONHOME", "PYTHONPATH"].filter((variable) => !terms.given.includes(variable));
  return {
    shell: "sh",
    label: `${name}@${hash}`,
    lines: [
      "export PYTHONNOUSERSITE=1",
      ...(others.length > 0 ? [`unset ${others.join(" ")}`] : []),
      ...(tool === "conda" ? makeCondaLines(prefix) : makeVenvLines(prefix)),
      ...listVariables(terms),
    ],
  };
}

/** A person's own environment with the variables of the specification. */
export function enterOwn(activation: Activation, terms: EntryTerms): Activation {
  return { ...activation, lines: [...activation.lines, ...listVariables(terms)] };
}

function makeVenvLines(prefix: string): string[] {
  return [`export VIRTUAL_ENV=${quotePath(prefix)}`, 'export PATH="$VIRTUAL_ENV/bin:$PATH"'];
}

/** Without conda's program: that prints nothing but this, and takes half a second. */
function makeCondaLines(prefix: string): string[] {
  return [
    `export CONDA_PREFIX=${quotePath(prefix)}`,
    'export CONDA_DEFAULT_ENV="$CONDA_PREFIX" PATH="$CONDA_PREFIX/bin:$PATH"',
    'for sortie_script in "$CONDA_PREFIX"/etc/conda/activate.d/*.sh; do [ ! -r "$sortie_script" ] || . "$sortie_script"; done',
  ];
}

function listVariables({ spec, project, given }: EntryTerms): string[] {
  const isFree = (name: string | null) => name === null || !given.includes(name);
  const env = Object.fromEntries(Object.entries(spec.env).filter(([name]) => isFree(name)));
  const weightDirs = spec.weightDirs.filter(({ env: name }) => isFree(name));
  return makeVariableLines({ ...spec, env, weightDirs }, { project: quotePath(project) });
}
