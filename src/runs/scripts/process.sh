# shellcheck shell=sh disable=SC2034 # what is set here is read by the scripts below
# What is known about processes, for every script of a job folder. A zombie counts as dead: nobody may have
# reaped it yet. /proc where there is one, ps elsewhere (macOS, untested).

# Fields of /proc/PID/stat from the third on, in $sortie_stat_fields: state, parent, group, session, … The name before them may
# hold spaces and newlines. No program is started for it: a launch waits for this.
read_stat() {
  sortie_stat_text=''
  { while IFS= read -r sortie_stat_line; do sortie_stat_text="$sortie_stat_text$sortie_stat_line "; done <"/proc/$1/stat"; } 2>/dev/null
  sortie_stat_fields=${sortie_stat_text##*) }
  [ -n "$sortie_stat_text" ]
}

# Sets sortie_start, the start time of a living process, in a form that differs for every later process of the same
# number. Starts no program where /proc is.
read_start() {
  sortie_start=''
  case "$1" in '' | *[!0-9]*) return 1 ;; esac
  if [ -r /proc/self/stat ]; then
    read_stat "$1" || return 1
    # shellcheck disable=SC2086 # the fields are numbers and letters, split on purpose
    set -- $sortie_stat_fields
    case "$1" in Z | X) return 1 ;; esac
    sortie_start=${20}
  else
    sortie_start=$(ps -o stat=,lstart= -p "$1" 2>/dev/null | awk '$1 !~ /^Z/ { $1 = ""; gsub(/ /, "_"); print }')
  fi
  [ -n "$sortie_start" ]
}

start_of() {
  read_start "$1" && echo "$sortie_start"
}

# Whether the process is alive and is still the one that started then.
is_same() {
  [ -n "$2" ] && read_start "$1" && [ "$sortie_start" = "$2" ]
}

parent_of() {
  if [ -r /proc/self/stat ]; then
    read_stat "$1" || return 1
    # shellcheck disable=SC2086
    set -- $sortie_stat_fields
    echo "$2"
  else
    ps -o ppid= -p "$1" 2>/dev/null | tr -d ' '
  fi
}

# Living members of a process group or of a session (column: pgrp or sess), one number a line.
members_of() {
  if [ -r /proc/self/stat ]; then
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v column="$1" -v wanted="$2" '
      { pid = $1; sub(/^.*\) /, ""); split($0, field, " ")
        if (field[1] != "Z" && field[1] != "X" && field[column == "pgrp" ? 3 : 4] == wanted) print pid }'
  else
    ps -A -o pid=,stat=,"$1"= 2>/dev/null | awk -v wanted="$2" '$2 !~ /^Z/ && $3 == wanted { print $1 }'
  fi
}

# Living processes that carry the run in their environment, wherever they have moved to; a zombie's is empty.
carriers_of() {
  grep -lzxF "SORTIE_RUN_ID=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3
}

# Sets sortie_boot and sortie_host. Starts no program where /proc is.
read_host() {
  read_line /proc/sys/kernel/random/boot_id || sortie_line=$(sysctl -n kern.bootsessionuuid 2>/dev/null)
  sortie_boot=${sortie_line:-unknown}
  read_line /proc/sys/kernel/hostname || sortie_line=$(uname -n)
  sortie_host=$sortie_line
}

boot_id() {
  read_host
  echo "$sortie_boot"
}

pid_namespace() {
  readlink /proc/self/ns/pid 2>/dev/null || echo none
}

# Sets sortie_line, the first line of a file.
read_line() {
  { read -r sortie_line <"$1"; } 2>/dev/null
}

# Sets sortie_now_cs, hundredths of a second since the host was started: they never jump, as the time of day may.
# Every deadline is one of these; a round of a loop may take any time on a busy host. Starts no program where /proc is.
read_clock() {
  read -r sortie_since_boot _ 2>/dev/null </proc/uptime ||
    sortie_since_boot=$(sysctl -n kern.boottime 2>/dev/null | awk -v now="$(date +%s)" '{ sub(/^.*sec = /, ""); print now - $1 + 0 }')
  [ -n "$sortie_since_boot" ] || sortie_since_boot=$(date +%s)
  case "$sortie_since_boot" in
    # The 1 keeps 08 and 09 from being read as octal numbers.
    *.[0-9][0-9]) sortie_now_cs=$((${sortie_since_boot%.*} * 100 + 1${sortie_since_boot#*.} - 100)) ;;
    *) sortie_now_cs=$((${sortie_since_boot%.*} * 100)) ;;
  esac
}

uptime_seconds() {
  read_clock
  echo "$sortie_since_boot"
}

utc_now() {
  date -u +%Y-%m-%dT%H:%M:%SZ
}

# Sends a signal to a process group; `kill -TERM -- -N` is refused by dash.
signal_group() {
  kill "-$1" "-$2" 2>/dev/null
}

signal_each() {
  sortie_signal_name=$1
  shift
  for sortie_target in "$@"; do kill "-$sortie_signal_name" "$sortie_target" 2>/dev/null; done
}

# Everything of the run that still lives: members of its session, and those that left it but carry its id.
rest_of_run() {
  { [ -z "$2" ] || members_of sess "$2"; carriers_of "$1"; } | sort -un
}

# Puts a file in its place, whole and never over another's; the file itself goes. Fails where another's is there.
put_once() {
  ln "$1" "$2" 2>/dev/null || { [ ! -e "$2" ] && (set -C && cat "$1" >"$2") 2>/dev/null; }
  sortie_put=$?
  rm -f "$1"
  return $sortie_put
}

# Starts a program in a new session, so that no terminal or group of ours reaches it.
new_session() {
  if command -v setsid >/dev/null 2>&1; then
    exec setsid "$@"
  fi
  exec perl -e 'use POSIX; setsid(); exec @ARGV or die' -- "$@"
}
