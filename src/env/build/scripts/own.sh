# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# An environment that a person has made: its Python, and a fingerprint of what is installed beside it. Only names of files
# are looked at. Above this text: sortie_own (the path of its interpreter, or empty) and sortie_project (folders, a line
# each, whose programs are not run).

tell_own() {
  [ -n "$sortie_own" ] && [ -x "$sortie_own" ] || return 0
  find_prefix
  say own "$sortie_own"
  say own_version "$(find_own_version)"
  say own_packages "$(list_packages | sort | hash_lines)"
}

# As Python itself finds it: a file beside it says that it is one, else it is where the program really lies.
find_prefix() {
  sortie_prefix=${sortie_own%/*}/..
  [ ! -f "$sortie_prefix/pyvenv.cfg" ] && [ ! -d "$sortie_prefix/conda-meta" ] || return 0
  sortie_real=$(readlink -f "$sortie_own" 2>/dev/null) && sortie_prefix=${sortie_real%/*}/..
}

find_own_version() {
  if [ -f "$sortie_prefix/pyvenv.cfg" ]; then
    sed -n 's/^version\(_info\)\{0,1\}[[:space:]]*=[[:space:]]*\([0-9][0-9.]*[0-9]\).*/\2/p' "$sortie_prefix/pyvenv.cfg" | head -n 1
  elif ! is_in_project; then
    version_of "$sortie_own"
  fi
}

is_in_project() {
  sortie_real=$(cd "$sortie_prefix" 2>/dev/null && pwd -P)
  while IFS= read -r sortie_folder; do
    [ -n "$sortie_folder" ] || continue
    case $sortie_own in "$sortie_folder"/*) return 0 ;; esac
    case $sortie_real/ in "$sortie_folder"/*) return 0 ;; esac
  done <<PROJECT
$sortie_project
PROJECT
  return 1
}

# Names with versions in them; a package that is installed or taken away, or another version of it, changes the list.
list_packages() {
  for sortie_path in "$sortie_prefix"/lib*/python*/site-packages/* "$sortie_prefix"/lib*/python*/dist-packages/* \
    "$sortie_prefix"/local/lib/python*/dist-packages/* "$sortie_prefix"/conda-meta/*; do
    case $sortie_path in *.dist-info | *.egg-info | *.egg-link | *.egg | *.pth | */conda-meta/*.json) echo "${sortie_path##*/}" ;; esac
  done
}

hash_lines() {
  { sha256sum 2>/dev/null || shasum -a 256 2>/dev/null || openssl dgst -sha256 -r; } | cut -c 1-8
}
