# shellcheck shell=sh disable=SC2034 # sortie_found is for the text around
# Finds the program conda: in sortie_found. CONDA_EXE is set where conda was initialised; the folders are where its
# installers put it.

sortie_find_conda() {
  for sortie_found in "${CONDA_EXE:-}" "$(command -v conda 2>/dev/null)" \
    "$HOME/miniconda3/bin/conda" "$HOME/miniforge3/bin/conda" "$HOME/mambaforge/bin/conda" \
    "$HOME/anaconda3/bin/conda" /opt/conda/bin/conda /opt/miniconda3/bin/conda /opt/miniforge3/bin/conda \
    /opt/anaconda3/bin/conda; do
    case $sortie_found in /*) [ ! -f "$sortie_found" ] || [ ! -x "$sortie_found" ] || return 0 ;; esac
  done
  echo "conda is not here: neither on PATH, nor as CONDA_EXE, nor where it is usually installed" >&2
  return 1
}
