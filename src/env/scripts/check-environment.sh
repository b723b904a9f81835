# Enters the environment once, before anything is reserved, and says which Python it has. Above this text: TOKEN,
# CONDA_WANTED (yes, or empty), CONDA (its path, or empty) and PYTHON (the interpreter that the command names, or empty).

say() {
  printf '%s=%s\n' "$1" "$2"
}

find_conda() {
  for candidate in "$CONDA" "$CONDA_EXE" "$(command -v conda 2>/dev/null)" \
    "$HOME/miniconda3/bin/conda" "$HOME/miniforge3/bin/conda" "$HOME/mambaforge/bin/conda" \
    "$HOME/anaconda3/bin/conda" /opt/conda/bin/conda /opt/miniconda3/bin/conda /opt/anaconda3/bin/conda; do
    if [ -f "$candidate" ] && [ -x "$candidate" ]; then
      printf '%s' "$candidate"
      return
    fi
    # A person who named the program wants that one.
    [ -z "$CONDA" ] || return 1
  done
  return 1
}

finish() {
  printf 'end=%s\n' "$TOKEN"
  exit 0
}

printf 'begin=%s\n' "$TOKEN"
if [ -n "$CONDA_WANTED" ]; then
  CONDA=$(find_conda) || { say fault no_conda; finish; }
  say conda "$CONDA"
fi
fault=$(activate 2>&1 >/dev/null) || { say fault "$(printf '%s' "$fault" | tail -n 1)"; finish; }
activate >/dev/null 2>&1
python=$(command -v "${PYTHON:-python}" || command -v python || command -v python3) || finish
say python "$python"
say version "$("$python" -c 'import platform; print(platform.python_version())' 2>/dev/null)"
finish
