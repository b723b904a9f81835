import { createHash } from "node:crypto";
import type { EnvSpec } from "../spec/env-spec.ts";
import { parsePipPhase } from "./pip-arguments.ts";
import { isAddress } from "./requirement-files.ts";

/** Of `run_commands`: what installs the project itself, or a part of it. */
const INSTALLS_HERE = /(^|\s)(-e|--editable|develop|\.{1,2}(\/\S*)?)(\s|;|$)/;

/**
 * The inputs of an environment that holds parts of its project, as `-e .` leaves them: 8 digits that tell apart the folders
 * that they lie in, so that two checkouts of one project never run each other's code. Else the inputs as they are.
 */
export function bindToFolder(
  inputs: string | null,
  { spec, requirements, folder }: { spec: EnvSpec; requirements: readonly string[]; folder: string },
): string | null {
  const isBound =
    spec.pipPhases.some(holdsProject) ||
    requirements.some((line) => !line.startsWith("#") && holdsProject([line])) ||
    spec.runCommands.some((command) => INSTALLS_HERE.test(command));
  if (!isBound) return inputs;
  return createHash("sha256")
    .update(JSON.stringify([inputs, folder]))
    .digest("hex")
    .slice(0, 8);
}

function holdsProject(phase: readonly string[]): boolean {
  const { packages, options } = parsePipPhase(phase);
  const editable = options.flatMap(({ name, value }) =>
    name === "--editable" && value !== null && !isAddress(value) ? [value] : [],
  );
  return editable.length > 0 || packages.some((text) => /^\.{1,2}(\/|\[|$)/.test(text));
}
