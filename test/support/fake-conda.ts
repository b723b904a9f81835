import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findTool } from "./shells.ts";

/**
 * A stand-in for conda, which no package registry of this kind of machine has: `shell.bash hook` defines the function
 * `conda`, and `conda activate NAME` changes PATH and sets CONDA_PREFIX, or fails as conda does. Answers its program.
 */
export function makeFakeConda(folder: string, environments: readonly string[]): string {
  for (const name of environments) {
    const python = join(folder, "envs", name, "bin", "python");
    mkdirSync(dirname(python), { recursive: true });
    symlinkSync(findTool("python3") as string, python);
  }
  const program = join(folder, "bin", "conda");
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, SCRIPT.replaceAll("@ROOT@", folder.replaceAll("'", `'\\''`)));
  chmodSync(program, 0o755);
  return program;
}

const SCRIPT = `#!/bin/sh
[ "$1 $2" = "shell.bash hook" ] || { echo "unexpected: conda $*" >&2; exit 2; }
cat <<'HOOK'
conda() {
  [ "$1" = activate ] || return 2
  if [ ! -d '@ROOT@'/envs/"$2" ]; then
    echo "EnvironmentNameNotFound: Could not find conda environment: $2" >&2
    return 1
  fi
  export CONDA_PREFIX='@ROOT@'/envs/"$2" CONDA_DEFAULT_ENV="$2"
  export PATH="$CONDA_PREFIX/bin:$PATH"
}
HOOK
`;
