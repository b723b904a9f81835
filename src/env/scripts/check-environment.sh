# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Enters the environment once, before anything is reserved, and says which Python it has. Above this text: sortie_token,
# sortie_conda_wanted (yes, or empty), sortie_conda (its path, or empty) and sortie_python (the interpreter that the
# command names, or empty).

say() {
  printf '%s=%s\n' "$1" "$2"
}

find_conda() {
  for candidate in "$sortie_conda" "$CONDA_EXE" "$(command -v conda 2>/dev/null)" \
    "$HOME/miniconda3/bin/conda" "$HOME/miniforge3/bin/conda" "$HOME/mambaforge/bin/conda" \
    "$HOME/anaconda3/bin/conda" /opt/conda/bin/conda /opt/miniconda3/bin/conda /opt/anaconda3/bin/conda; do
    if [ -f "$candidate" ] && [ -x "$candidate" ]; then
      printf '%s' "$candidate"
      return
    fi
    # A person who named the program wants that one.
    [ -z "$sortie_conda" ] || return 1
  done
  return 1
}

finish() {
  printf 'end=%s\n' "$sortie_token"
  exit 0
}

printf 'begin=%s\n' "$sortie_token"
if [ -n "$sortie_conda_wanted" ]; then
  sortie_conda=$(find_conda) || { say fault no_conda; finish; }
  say conda "$sortie_conda"
fi
fault=$(activate 2>&1 >/dev/null) || { say fault "$(printf '%s' "$fault" | tail -n 1)"; finish; }
activate >/dev/null 2>&1
python=$(command -v "${sortie_python:-python}" || command -v python || command -v python3) || finish
say python "$python"
say version "$("$python" -c 'import platform; print(platform.python_version())' 2>/dev/null)"
finish
