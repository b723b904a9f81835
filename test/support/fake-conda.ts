import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findTool } from "./shells.ts";

/**
 * A stand-in for conda, which no package registry of this kind of machine has: `shell.bash hook` defines the function
 * `conda`, and `conda activate NAME` changes PATH and sets CONDA_PREFIX, or fails as conda does; `shell.posix activate`
 * prints the same as text. `create -p PREFIX python=VERSION` makes an environment of this machine's Python, and knows
 * no other version. Answers its program.
 */
export function makeFakeConda(folder: string, environments: readonly string[]): string {
  for (const name of environments) {
    const python = join(folder, "envs", name, "bin", "python");
    mkdirSync(dirname(python), { recursive: true });
    symlinkSync(findTool("python3") as string, python);
  }
  const program = join(folder, "bin", "conda");
  mkdirSync(dirname(program), { recursive: true });
  const values = { ROOT: folder, PYTHON: findTool("python3") as string };
  writeFileSync(program, Object.entries(values).reduce(fillIn, SCRIPT));
  chmodSync(program, 0o755);
  return program;
}

function fillIn(script: string, [name, value]: [string, string]): string {
  return script.replaceAll(`@${name}@`, () => value.replaceAll("'", `'\\''`));
}

const SCRIPT = `#!/bin/sh
find_prefix() {
  case $1 in /*) prefix=$1 ;; *) prefix='@ROOT@'/envs/$1 ;; esac
  [ -d "$prefix" ] && return
  echo "EnvironmentNameNotFound: Could not find conda environment: $1" >&2
  return 1
}

quote() {
  printf '%s\\n' "$1" | sed "s/'/'\\\\\\\\''/g; 1s/^/'/; \\$s/\\$/'/"
}

create() {
  version=
  while [ $# -gt 0 ]; do
    case $1 in
      -p) prefix=$2 && shift ;;
      -y | -q | pip | python) ;;
      python=*) version=\${1#python=} ;;
      *) echo "PackagesNotFoundError: The following packages are not available from current channels: $1" >&2 && return 1 ;;
    esac
    shift
  done
  case $('@PYTHON@' -c 'import sys; print("%d.%d.%d." % sys.version_info[:3])') in
    \${version:+"$version".}*) ;;
    *) echo "PackagesNotFoundError: The following packages are not available from current channels: python=$version" >&2 && return 1 ;;
  esac
  '@PYTHON@' -m venv "$prefix" && mkdir "$prefix/conda-meta" && : >"$prefix/conda-meta/history"
}

case "$1 $2" in
  "shell.bash hook")
    cat <<'HOOK'
conda() {
  [ "$1" = activate ] || return 2
  sortie_fake=$('@ROOT@'/bin/conda shell.posix activate "$2") && eval "$sortie_fake"
}
HOOK
    ;;
  "shell.posix activate")
    find_prefix "$3" || exit 1
    echo "export CONDA_PREFIX=$(quote "$prefix") CONDA_DEFAULT_ENV=$(quote "$3")"
    echo 'export PATH="$CONDA_PREFIX/bin:$PATH"'
    for script in "$prefix"/etc/conda/activate.d/*.sh; do
      [ ! -f "$script" ] || echo ". $(quote "$script")"
    done
    ;;
  "create "*) shift && create "$@" ;;
  *) echo "unexpected: conda $*" >&2 && exit 2 ;;
esac
`;
