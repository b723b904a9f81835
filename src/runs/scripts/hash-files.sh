# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# The hashes of files, as the host reads them: a line `NUMBER=SHA256` each, `NUMBER=gone` or `NUMBER=unreadable`. Above
# this text: sortie_token. Below it, calls `hash FIRST_NUMBER FILE…`.

begin() {
  echo "begin=$sortie_token"
  sortie_program=none
  for sortie_name in sha256sum shasum openssl; do
    command -v "$sortie_name" >/dev/null 2>&1 && sortie_program=$sortie_name && break
  done
}

# One program for all files where it tells one whole line of each; else each by itself.
hash() {
  sortie_number=$1
  sortie_numbers=''
  shift
  for sortie_file in "$@"; do
    shift
    if [ -f "$sortie_file" ]; then
      set -- "$@" "$sortie_file"
      sortie_numbers="$sortie_numbers $sortie_number"
    else
      echo "$sortie_number=gone"
    fi
    sortie_number=$((sortie_number + 1))
  done
  [ $# -gt 0 ] || return 0
  sortie_hashes=$(hash_together "$@")
  if [ "$(printf '%s\n' "$sortie_hashes" | grep -c '^[0-9a-f]\{64\}$')" -ne $# ]; then
    sortie_hashes=$(for sortie_file in "$@"; do hash_alone "$sortie_file"; done)
  fi
  # shellcheck disable=SC2086 # words, one a file
  set -- $sortie_hashes
  for sortie_number in $sortie_numbers; do
    echo "$sortie_number=$1"
    shift
  done
}

# A line begins with a backslash where the name in it is written otherwise than it is.
hash_together() {
  case $sortie_program in
    sha256sum) sha256sum -- "$@" ;;
    shasum) shasum -a 256 -- "$@" ;;
  esac 2>/dev/null | sed 's/^\\//' | cut -c 1-64
}

hash_alone() {
  case $sortie_program in
    sha256sum) sortie_hash=$(sha256sum <"$1") ;;
    shasum) sortie_hash=$(shasum -a 256 <"$1") ;;
    openssl) sortie_hash=$(openssl dgst -sha256 -r <"$1") ;;
    none) sortie_hash=no_program ;;
  esac 2>/dev/null
  sortie_hash=${sortie_hash%% *}
  echo "${sortie_hash:-unreadable}"
}
