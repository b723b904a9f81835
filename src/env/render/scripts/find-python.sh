# shellcheck shell=sh disable=SC2034 # sortie_found is for the text around
# Finds a Python of a version (3.11, 3.11.7), one at a path, or any (an empty word): in sortie_found.

sortie_find_python() {
  case $1 in
    */*)
      sortie_is_python "$1" '' && return
      echo "$1 is not a Python 3 that runs" >&2
      return 1
      ;;
    *.*.*) sortie_short=${1%.*} ;;
    *) sortie_short=$1 ;;
  esac
  for sortie_candidate in "python$1" "python$sortie_short" python3 python \
    "$HOME/.local/bin/python$sortie_short" "/usr/local/bin/python$sortie_short" \
    "/opt/homebrew/bin/python$sortie_short" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$sortie_short"*/bin/python3 \
    "${XDG_DATA_HOME:-$HOME/.local/share}/uv/python/cpython-$sortie_short"*/bin/python3; do
    sortie_is_python "$(command -v "$sortie_candidate" 2>/dev/null)" "$1" && return
  done
  echo "another one can be named as \"base\" of the spec; uv fetches what is missing (base: uv:${1:-3.11})" >&2
  echo "there is no Python${1:+ }$1 here; there is: $(sortie_list_pythons)" >&2
  return 1
}

# Sets sortie_found if the program is a Python whose version is the one wanted, or begins with it.
sortie_is_python() {
  sortie_found=$1
  sortie_version=$(sortie_ask_version "$1") || return
  case $sortie_version. in "${2:+$2.}"*) return 0 ;; *) return 1 ;; esac
}

# A stand-in of a version manager is there for each version, and fails for those that are not.
sortie_ask_version() {
  [ -n "$1" ] && "$1" -I -S -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' </dev/null 2>/dev/null
}

sortie_list_pythons() {
  sortie_listed=$(
    IFS=:
    for sortie_place in $PATH; do
      for sortie_candidate in "$sortie_place"/python3 "$sortie_place"/python3.[0-9] "$sortie_place"/python3.[0-9][0-9]; do
        ! sortie_version=$(sortie_ask_version "$sortie_candidate") || echo "$sortie_version ($sortie_candidate)"
      done
    done
  )
  [ -n "$sortie_listed" ] || sortie_listed=none
  printf '%s\n' "$sortie_listed" | tr '\n' ',' | sed 's/,$//; s/,/, /g'
}
