import type { EnvSpec } from "../spec/env-spec.ts";
import { parsePipPhase } from "./pip-arguments.ts";

/** The files that `-r` and `-c` of a spec's phases name, in their order; what is fetched from an address is not a file. */
export function listRequirementFiles({ pipPhases }: Pick<EnvSpec, "pipPhases">): string[] {
  const named = pipPhases
    .flatMap((phase) => parsePipPhase(phase).options)
    .flatMap(({ name, value }) =>
      isRequirement(name) && value !== null && !isAddress(value) ? [value] : [],
    );
  return [...new Set(named)];
}

/** The parts of the project that the phases install themselves: `-e .`, `./wheels/a.whl`, `--find-links wheels`. */
export function findLocalPaths({ pipPhases }: Pick<EnvSpec, "pipPhases">): string[] {
  return pipPhases.flatMap((phase) => {
    const { packages, options } = parsePipPhase(phase);
    const given = options.flatMap(({ name, value }) =>
      ["--editable", "--find-links"].includes(name) && value !== null && !isAddress(value) ? [value] : [],
    );
    return [
      ...given,
      ...packages.filter(
        (text) => /^\.{0,2}\/|^\.{1,2}$|\.(whl|tar\.gz|zip)$/.test(text) && !isAddress(text),
      ),
    ];
  });
}

export function isRequirement(name: string): boolean {
  return name === "--requirement" || name === "--constraint";
}

export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text);
}
