import type { EnvSpec } from "../spec/env-spec.ts";

/** Those that the witness can compute with, the most telling first. */
export const LIBRARIES = ["torch", "jax", "cupy", "numpy"] as const;
export type Library = (typeof LIBRARIES)[number];

/**
 * What the witness of an environment computes with: the first that its packages or its imports name; null: none of
 * them. `requirements` are lines of the requirement files that the spec names.
 */
export function chooseLibrary(spec: EnvSpec, requirements: readonly string[] = []): Library | null {
  const named = [...spec.pipPhases.flat(), ...requirements].map(findName);
  const names = new Set([...named, ...spec.smoke.importNames.map((name) => name.split(".")[0])]);
  const isThere = (library: Library) =>
    [...names].some(
      (name) => name === library || (library === "cupy" && /^cupy-(cuda|rocm)/.test(name ?? "")),
    );
  return LIBRARIES.find(isThere) ?? null;
}

/** The normalised name of a requirement, or of a wheel's file; null: an option, a folder, an address without a name. */
function findName(argument: string): string | null {
  const wheel = /([A-Za-z0-9_.]+)-\d[^/]*\.whl$/.exec(argument)?.[1];
  const plain = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*($|[[<>=!~;@,\s])/.exec(argument)?.[1];
  const name = wheel ?? plain ?? null;
  return name === null ? null : name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}
