import { quoteCommand, quoteShell } from "../../base/quote.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { renderBuildOnce } from "./build-once.ts";
import { chooseTool } from "./choose-tool.ts";
import { parseBase } from "./parse-base.ts";

export interface SlurmTerms {
  readonly name: string;
  readonly hash: string;
  /** Environment modules that the cluster has. */
  readonly modules?: readonly string[];
  /** What runs container images there. */
  readonly container?: "apptainer" | "pyxis";
}

/**
 * A batch script: `sbatch [OPTIONS] SCRIPT COMMAND…` builds the environment once, below the home folder that the nodes
 * share, and runs the command in it. A base that is a container image is started by apptainer or pyxis, and the rest of
 * the spec is built on top of what it holds.
 */
export function renderSlurm(spec: EnvSpec, terms: SlurmTerms): string {
  const { name, hash, modules = [], container = "apptainer" } = terms;
  const base = parseBase(spec.base);
  const work = [
    `sortie_prefix=\${SORTIE_HOME:-$HOME/.sortie}/slurm/${name}-${hash}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    "sortie_project=${SLURM_SUBMIT_DIR:-$PWD}",
    `${renderBuildOnce(spec, { ...chooseTool(spec.base), seesSystemSite: base.kind === "image" })} || exit`,
    '. "$sortie_prefix.sh" || exit',
  ];
  return [
    "#!/bin/bash -l",
    `#SBATCH --job-name=${name}`,
    `# The environment ${name}@${hash}: sbatch [OPTIONS] THIS_FILE COMMAND...`,
    ...(modules.length === 0 ? [] : [`module load ${quoteCommand(modules)} || exit`]),
    ...(base.kind === "image" ? enterContainer(base.image, container, work) : [...work, 'exec "$@"']),
    "",
  ].join("\n");
}

/** The shell inside reads its text from stdin: the file of the batch script is not visible there. */
function enterContainer(image: string, container: "apptainer" | "pyxis", work: readonly string[]): string[] {
  const text = [...work, 'exec "$@" </dev/null'].join("\n");
  const call =
    container === "apptainer"
      ? `exec apptainer exec --nv --bind "$PWD" ${quoteShell(`docker://${image}`)} sh -s -- "$@"`
      : `exec srun --container-image=${quoteShell(makeEnrootName(image))} --container-mount-home --container-mounts="$PWD:$PWD" --container-workdir="$PWD" sh -s -- "$@"`;
  const mark = findMark(text);
  return [`${call} <<'${mark}'`, text, mark];
}

/** pyxis takes the registry before a `#`: `registry.example#team/image:tag`. */
function makeEnrootName(image: string): string {
  const [first = "", ...rest] = image.split("/");
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? `${first}#${rest.join("/")}` : image;
}

/** A line that the text does not have. */
function findMark(text: string, count = 0): string {
  const mark = `END_OF_SORTIE${count === 0 ? "" : `_${count}`}`;
  return text.split("\n").includes(mark) ? findMark(text, count + 1) : mark;
}
