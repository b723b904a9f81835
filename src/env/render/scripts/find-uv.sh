# shellcheck shell=sh disable=SC2034 # sortie_found is for the text around
# Finds the program uv: in sortie_found. The folders are where its installers put it.

sortie_find_uv() {
  for sortie_found in "$(command -v uv 2>/dev/null)" "$HOME/.local/bin/uv" "$HOME/.cargo/bin/uv" /usr/local/bin/uv \
    /opt/homebrew/bin/uv; do
    case $sortie_found in /*) [ ! -f "$sortie_found" ] || [ ! -x "$sortie_found" ] || return 0 ;; esac
  done
  echo "uv is not here: install it, or write \"base: python:3.11\" for a plain venv" >&2
  return 1
}
