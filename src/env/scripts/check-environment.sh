# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Enters the environment once, before anything is reserved, and says which Python it has. Above this text: sortie_token,
# sortie_conda_wanted (yes, or empty), sortie_conda (its path, or empty), sortie_python (the interpreter that must be
# there, or empty), sortie_command (the one that the command names, or empty) and sortie_project (the project's folders,
# a line each). What lies in the project is looked at, never run: nobody has confirmed a plan yet.

say() {
  printf '%s=%s\n' "$1" "$2"
}

# A person who named the program wants that one.
find_conda() {
  if [ -n "$sortie_conda" ]; then
    print_program "$sortie_conda"
    return
  fi
  for candidate in "$CONDA_EXE" "$(command -v conda 2>/dev/null)" \
    "$HOME/miniconda3/bin/conda" "$HOME/miniforge3/bin/conda" "$HOME/mambaforge/bin/conda" \
    "$HOME/anaconda3/bin/conda" /opt/conda/bin/conda /opt/miniconda3/bin/conda /opt/miniforge3/bin/conda \
    /opt/anaconda3/bin/conda; do
    ! print_program "$candidate" || return 0
  done
  find_started_conda bash -lc || find_started_conda bash -ic && return
  case ${SHELL:-} in '' | */bash | */sh) return 1 ;; *) find_started_conda "$SHELL" -ic ;; esac
}

print_program() {
  case $1 in /*) [ -f "$1" ] && [ -x "$1" ] && printf '%s' "$1" ;; *) return 1 ;; esac
}

# As start files set it up: those of a login (-lc), or those of a terminal (-ic), where `conda init` writes its lines.
# They may print, ask or hang.
find_started_conda() {
  started=$(run_limited 10 "$1" "$2" 'echo; env' </dev/null 2>/dev/null | sed -n '/^CONDA_EXE=/p; /^PATH=/p')
  print_program "$(printf '%s\n' "$started" | sed -n 's/^CONDA_EXE=//p' | head -n 1)" ||
    print_program "$(PATH=$(printf '%s\n' "$started" | sed -n 's/^PATH=//p' | head -n 1) && command -v conda)"
}

# So many seconds; a shell at a terminal is deaf to TERM.
run_limited() {
  if command -v timeout >/dev/null 2>&1; then
    timeout -s KILL "$@"
  else
    perl -e 'alarm shift; exec @ARGV' "$@"
  fi
}

# The path of an interpreter that is named or that has one; only files can be run.
find_program() {
  case $1 in
    '') return 1 ;;
    /*) program=$1 ;;
    */*) program=$PWD/${1#./} ;;
    *) program=$(command -v "$1") || return 1 ;;
  esac
  [ -f "$program" ] && [ -x "$program" ] && printf '%s' "$program"
}

is_in_project() {
  case $1 in
    /*) ;;
    *) return 0 ;;
  esac
  real=$(cd -P "${1%/*}/" 2>/dev/null && pwd -P)
  while IFS= read -r folder; do
    [ -n "$folder" ] || continue
    case $1 in "$folder"/*) return 0 ;; esac
    case $real/ in "$folder"/*) return 0 ;; esac
  done <<PROJECT
$sortie_project
PROJECT
  return 1
}

# `-V` answers before any module is loaded, so that no file of the working folder is taken for one.
find_version() {
  if is_in_project "$1"; then
    sed -n 's/^version\(_info\)\{0,1\}[[:space:]]*=[[:space:]]*\([0-9][0-9.]*[0-9]\).*/\2/p' \
      "${1%/*}/../pyvenv.cfg" 2>/dev/null | head -n 1
  else
    "$1" -V 2>&1 </dev/null | sed -n 's/^Python \([0-9][0-9A-Za-z.+]*\).*/\1/p' | head -n 1
  fi
}

finish() {
  trap - EXIT
  printf 'end=%s\n' "$sortie_token"
  exit 0
}

# The last line on stderr says why.
fail_activation() {
  exec >&3
  say failed_with "$1"
  finish
}

printf 'begin=%s\n' "$sortie_token"
exec 3>&1
if [ -n "$sortie_conda_wanted" ]; then
  sortie_conda=$(find_conda) || { say fault no_conda; finish; }
  say conda "$sortie_conda"
fi
# The lines of other people may end the shell.
trap 'fail_activation $?' EXIT
activate >/dev/null </dev/null || fail_activation $?
trap - EXIT
required=
if [ -n "$sortie_python" ]; then
  required=$(find_program "$sortie_python") || { say fault no_python; finish; }
fi
if [ -n "$sortie_command" ]; then
  python=$(find_program "$sortie_command") || finish
else
  python=$(find_program "$required" || find_program python || find_program python3) || finish
fi
say python "$python"
say version "$(find_version "$python")"
finish
