# shellcheck shell=sh disable=SC2154,SC2034 # the settings, names that begin with sortie_, stand above this text
# What a host has of one environment. Above this text: sortie_envs, sortie_name, sortie_hash (8 digits) and sortie_inputs
# (8 digits; none: the spec names no requirement files; empty: any will do).

# Sets the paths of this environment. They are the real ones, so that everybody who comes by another name of the folder
# means the same environment.
find_envs() {
  sortie_key=$sortie_name-$sortie_hash
  sortie_real=$(cd "$sortie_envs" 2>/dev/null && pwd -P) || return 1
  sortie_envs=$sortie_real
  sortie_lock=$sortie_envs/.$sortie_key.lock
}

say() {
  printf '%s=%s\n' "$1" "$2"
}

# The numbers of all builds, the newest first. A link is the name of another environment, which may look like a build.
list_builds() {
  for sortie_path in "$sortie_envs/$sortie_key"-* "$sortie_envs/logs/$sortie_key"-*.log; do
    if [ ! -e "$sortie_path" ] || [ -L "$sortie_path" ]; then continue; fi
    sortie_path=${sortie_path##*/"$sortie_key"-}
    sortie_path=${sortie_path%.log}
    case $sortie_path in '' | 0* | *[!0-9]*) ;; *) echo "$sortie_path" ;; esac
  done | sort -rnu
}

# Sets sortie_ready, the newest build that may be used.
find_ready() {
  for sortie_number in $(list_builds); do
    sortie_ready=$sortie_envs/$sortie_key-$sortie_number
    is_ready "$sortie_ready" && has_inputs "$sortie_ready" && return
  done
  sortie_ready=''
  return 1
}

# It was finished at this very path, and its Python still runs and is the one that it was built with.
is_ready() {
  [ -f "$1/ready.json" ] && grep -qF "\"prefix\":$(quote_json "$1")," "$1/ready.json" &&
    sortie_version=$(version_of "$1/bin/python") && grep -qF "\"version\":\"$sortie_version\"" "$1/ready.json"
}

has_inputs() {
  case $sortie_inputs in
    '') ;;
    none) grep -qF '"inputs":null' "$1/ready.json" ;;
    *) grep -qF "\"inputs\":\"$sortie_inputs\"" "$1/ready.json" ;;
  esac
}

# `-V` answers before any module is loaded.
version_of() {
  [ -f "$1" ] && [ -x "$1" ] && "$1" -V 2>&1 </dev/null | sed -n 's/^Python \([0-9][0-9A-Za-z.+]*\).*/\1/p' | grep .
}

# A text without control characters as JSON.
quote_json() {
  printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"
}

# Somebody builds it now: the kernel holds the lock for as long as anything of that build lives. Looking shares the lock
# with others who look.
is_building() {
  [ -r "$sortie_lock" ] || return 1
  ! (flock -n -s 9) 9<"$sortie_lock"
}

# What the name points to: sortie_pointed, empty where it points to nothing of ours.
read_pointer() {
  sortie_pointed=$(readlink "$sortie_envs/$sortie_name") || sortie_pointed=''
  case $sortie_pointed in */* | '') sortie_pointed='' ;; *) [ -f "$sortie_envs/$sortie_pointed/ready.json" ] || sortie_pointed='' ;; esac
}
