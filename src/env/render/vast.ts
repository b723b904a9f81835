import { makeSettings } from "../../base/script.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { renderBuildOnce } from "./build-once.ts";
import { chooseTool } from "./choose-tool.ts";
import { parseBase } from "./parse-base.ts";
import { listRequirementFiles } from "./requirement-files.ts";

/**
 * The on-start script of a Vast instance, which runs at each of its starts, as root: builds the environment once, into
 * `/opt/sortie/NAME-HASH`, with the packages of the system. `. /opt/sortie/NAME-HASH.sh` enters it; that file is there
 * once the environment is whole.
 */
export function renderVast(spec: EnvSpec, { name, hash }: { name: string; hash: string }): string {
  const base = parseBase(spec.base);
  const files = listRequirementFiles(spec);
  return [
    "#!/bin/sh",
    `# The environment ${name}@${hash}. Enter it with: . /opt/sortie/${name}-${hash}.sh`,
    `# Image: ${base.kind === "image" ? base.image : chooseImage(base)}`,
    ...(files.length === 0
      ? []
      : [`# Reads from the project, which must be there before: ${files.join(", ")}`]),
    makeSettings({ sortie_prefix: `/opt/sortie/${name}-${hash}` }).trimEnd(),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    "sortie_project=${SORTIE_PROJECT:-/workspace}",
    'mkdir -p "$sortie_project"',
    renderBuildOnce(spec, {
      ...chooseTool(spec.base),
      systemPkgs: "install",
      seesSystemSite: base.kind === "image",
    }),
    "",
  ].join("\n");
}

function chooseImage({ kind, python }: { kind: string; python: string | null }): string {
  if (kind === "conda") return "any that has conda";
  if (kind === "uv") return "any that has uv";
  return python === null ? "any that has Python 3" : `any that has Python ${python}`;
}
