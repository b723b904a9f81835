# shellcheck shell=sh disable=SC2034,SC2154 # the settings, names that begin with sortie_, stand above this text
# What a plan needs to know of a host, in `key=value` lines. Nothing is changed. Above this text: sortie_job_dir (empty:
# the usual one), sortie_folder (where the run starts), sortie_code_dir, sortie_versions (yes, or empty), sortie_token, and the functions about processes
# and about the end of a login.

say() {
  printf '%s=%s\n' "$1" "$2"
}

tell_host() {
  read_host
  say now "$(date +%s)"
  say host "$sortie_host"
  say home "$HOME"
  say shell "${SHELL:-}"
  say job_dir "$sortie_job_dir"
  say code_dir "$sortie_code_dir"
  say folder "$sortie_folder"
  [ ! -d "$sortie_folder" ] || say folder_there yes
  read_logout
  say kills "$sortie_kills"
}

tell_tools() {
  tell_tool rsync --version
  tell_tool screen -v
  tell_tool git --version
  tell_tool python3 -V
  for sortie_tool in bash conda setsid flock sha256sum shasum perl; do tell_tool $sortie_tool; done
}

# The first number that the tool says of itself; nothing where it is not asked: some take a tenth of a second for it.
tell_tool() {
  command -v "$1" >/dev/null 2>&1 || return 0
  sortie_version=''
  [ $# -eq 1 ] || [ -z "$sortie_versions" ] || sortie_version=$("$@" 2>&1 </dev/null | sed -n '1s/^[^0-9]*\([0-9][0-9A-Za-z.]*\).*/\1/p')
  say "tool.$1" "$sortie_version"
}

# Free KiB, free inodes (`-` where the file system does not count them), and whether something can be made there: of
# the nearest folder above that is there.
tell_disk() {
  sortie_place=$1
  while [ ! -e "$sortie_place" ] && [ "$sortie_place" != / ]; do
    sortie_place=${sortie_place%/*}
    sortie_place=${sortie_place:-/}
  done
  sortie_free=$(df -Pk "$sortie_place" 2>/dev/null | awk 'NR == 2 { print $4 }')
  sortie_inodes=$(df -Pi "$sortie_place" 2>/dev/null | awk 'NR == 2 && $2 ~ /^[1-9]/ && $4 ~ /^[0-9]+$/ { print $4 }')
  say disk "${sortie_free:--} ${sortie_inodes:--} $1"
  if [ ! -d "$sortie_place" ] || [ ! -w "$sortie_place" ] || [ ! -x "$sortie_place" ]; then say unwritable "$1"; fi
}

# A path counts from the folder where it is relative; the folder that a pattern begins with will do.
tell_missing() {
  for sortie_path in "$2" "$3"; do
    case "$sortie_path" in /*) ;; *) sortie_path=$sortie_folder/$sortie_path ;; esac
    [ ! -e "$sortie_path" ] || return 0
  done
  say missing "$1"
}

# Live runs that were started in the code folder itself, not in a copy of it: of the latest 200.
tell_live_runs() {
  sortie_words=$(printf '%s' "$sortie_code_dir" | sed 's/[\\"]/\\&/g')
  # shellcheck disable=SC2012 # names of job folders hold no blanks; only ls sorts by time
  ls -1t "$sortie_job_dir" 2>/dev/null | head -n 200 | while IFS= read -r sortie_name; do
    sortie_run=$sortie_job_dir/$sortie_name
    [ ! -d "$sortie_run/code" ] || continue
    for sortie_pid in "$sortie_run/pid" "$sortie_run"/attempts/*/pid; do
      if [ ! -f "$sortie_pid" ] || [ -e "${sortie_pid%pid}exit" ] || ! is_living "$sortie_pid"; then continue; fi
      grep -qF -e "\"$sortie_words\"" -e "\"$sortie_words/" "$sortie_run/meta.json" 2>/dev/null || continue
      say live_run "$sortie_name"
      break
    done
  done
}

is_living() {
  [ "$(read_key boot "$1")" = "$sortie_boot" ] || return 1
  is_same "$(read_key supervisor "$1")" "$(read_key supervisor_start "$1")" ||
    is_same "$(read_key group "$1")" "$(read_key group_start "$1")"
}

read_key() {
  sed -n "s/^$1=//p" "$2"
}

# Runs the text of a check in the run's folder, or at home where that is not there yet: its answer, then what it said.
# Sets sortie_python to the interpreter that was found.
check_environment() {
  sortie_python=''
  command -v "$1" >/dev/null 2>&1 || { say environment_shell missing; return; }
  sortie_told=$({
    sortie_words=$(cd "$sortie_folder" 2>/dev/null || cd || exit
      { printf '%s' "$2" | run_for 60 "$1" -s; } 2>&1 >&9)
    sortie_code=$?
    say environment_code "$sortie_code"
    say environment_words "$(printf '%s\n' "$sortie_words" | sed '/^[[:space:]]*$/d' | tail -n 1)"
  } 9>&1)
  printf '%s\n' "$sortie_told"
  sortie_python=$(printf '%s\n' "$sortie_told" | sed -n 's/^python=//p' | head -n 1)
}

run_for() {
  if command -v timeout >/dev/null 2>&1; then
    timeout -s KILL "$@"
  else
    perl -e 'alarm shift; exec @ARGV' "$@"
  fi
}
