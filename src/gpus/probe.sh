# shellcheck shell=sh
# Asks this host all about its GPUs in one go; `gpu_probe` prints the answer. It is made to be part of a longer script
# that `sh` reads from its standard input: nothing here reads that input, ends the shell, or leaves a process behind.
#
# Before this text stand the functions of lease.sh and the settings:
#   gpu_token     the random word of the markers: each part of the answer stands between `@TOKEN begin NAME` and
#                 `@TOKEN end NAME`; what a host prints by itself is not mistaken for it
#   gpu_seconds   how long nvidia-smi may take, 15 where nothing is said
#   gpu_python    a function that becomes the Python of the run (asked on macOS only)

gpu_probe() {
  (gpu_tell_all)
}

# In a shell of its own: its traps and its locale end with it.
gpu_tell_all() {
  gpu_folder=''
  trap 'exit 143' HUP INT TERM PIPE
  trap 'rm -rf "$gpu_folder"' EXIT
  LC_ALL=C
  export LC_ALL
  : "${gpu_token:?}" "${gpu_seconds:=15}"
  gpu_system=$(uname -s)
  gpu_smi=$(PATH="$PATH:/usr/lib/wsl/lib" && command -v nvidia-smi) || gpu_smi=''
  gpu_cards=${SORTIE_NVIDIA_CARDS:-/proc/driver/nvidia/gpus}
  gpu_part system "$gpu_system"
  gpu_part command "$gpu_smi"
  gpu_tell_cards
  if ! gpu_make_folder; then
    gpu_part folder none
  elif [ -n "$gpu_smi" ]; then
    gpu_ask_nvidia
  elif [ "$gpu_system" = Darwin ]; then
    gpu_ask_mps
  fi
  gpu_part end yes
}

gpu_part() {
  printf '@%s begin %s\n%s\n@%s end %s\n' "$gpu_token" "$1" "$2" "$gpu_token" "$1"
}

# What the driver itself knows of each card, also of a lost one, and while nvidia-smi fails.
gpu_tell_cards() {
  for gpu_card in "$gpu_cards"/*/information; do
    [ ! -r "$gpu_card" ] || gpu_part card "$(cat "$gpu_card" 2>/dev/null)"
  done
}

# Answers go to files, not pipes: a process that hangs in the driver cannot even be killed, and would keep a pipe open.
gpu_make_folder() {
  for gpu_place in /dev/shm "${TMPDIR:-/tmp}" /tmp /var/tmp "${HOME:-/}"; do
    gpu_folder=$gpu_place/sortie-probe-$gpu_token
    (umask 077 && mkdir "$gpu_folder" && echo room >"$gpu_folder/room") 2>/dev/null && return
    rm -rf "$gpu_folder" 2>/dev/null
  done
  return 1
}

gpu_ask_nvidia() {
  gpu_start gpus gpu_query_gpus
  gpu_first=$!
  gpu_start apps gpu_query_apps
  gpu_wait_for gpus "$gpu_first" apps "$!"
  gpu_print gpus
  gpu_print apps
  gpu_part processes "$(gpu_column 2 apps | while read -r gpu_pid; do gpu_process "$gpu_pid"; done)"
  for gpu_uuid in $(gpu_column 2 gpus); do
    gpu_lease=$(lease_holder "$gpu_uuid" </dev/null) && gpu_part "lease $gpu_uuid" "$gpu_lease"
  done
}

# Only PyTorch can say whether it can use the GPU of a Mac.
gpu_ask_mps() {
  gpu_part mps.chip "$(sysctl -n machdep.cpu.brand_string 2>/dev/null)"
  gpu_part mps.bytes "$(sysctl -n hw.memsize 2>/dev/null)"
  gpu_start mps gpu_query_mps
  gpu_wait_for mps "$!"
  gpu_print mps
}

gpu_query_mps() {
  gpu_run gpu_python -c 'import sys; sys.path = sys.path[1:]; import torch; print(torch.backends.mps.is_available())'
}

# --- commands with a time limit ------------------------------------------------------------------------------------

# Starts a function in the background, its output in files. TERM ends what it runs, and says so as its exit code.
gpu_start() {
  (
    gpu_exit_file=$gpu_folder/$1.exit
    trap 'kill -KILL "$!" 2>/dev/null; echo timeout >"$gpu_exit_file"; exit' TERM
    "$2"
    echo "$?" >"$gpu_exit_file"
  ) </dev/null >>"$gpu_folder/$1.out" 2>>"$gpu_folder/$1.err" &
}

# Runs a command so that a trap can come in between.
gpu_run() {
  "$@" &
  wait "$!"
}

# gpu_wait_for NAME PID ...: waits for what was started, at most $gpu_seconds. `timeout` would not do: not every host
# has it, and it waits without end for a process that hangs in the driver.
gpu_wait_for() {
  (
    # A TERM that reaches a shell between its start and its own traps is lost where the outer one has a trap for it.
    trap 'kill -KILL "$!" 2>/dev/null; exit' TERM
    [ -e "$gpu_folder/answered" ] || gpu_run sleep "$gpu_seconds"
    while [ $# -gt 0 ]; do
      [ -e "$gpu_folder/$1.exit" ] || kill "$2"
      shift 2
    done
  ) </dev/null >/dev/null 2>&1 &
  gpu_watchdog=$!
  while [ $# -gt 0 ]; do
    wait "$2"
    shift 2
  done
  : >"$gpu_folder/answered"
  kill "$gpu_watchdog"
  wait "$gpu_watchdog"
} 2>/dev/null

gpu_print() {
  for gpu_stream in exit fields out err; do
    gpu_part "$1.$gpu_stream" "$(cat "$gpu_folder/$1.$gpu_stream" 2>/dev/null)"
  done
}

# --- nvidia-smi ----------------------------------------------------------------------------------------------------

gpu_query_gpus() {
  gpu_query gpus --query-gpu \
    index,uuid,name,memory.used,memory.total,utilization.gpu,mig.mode.current \
    index,uuid,name,memory.used,memory.total,utilization.gpu \
    index,uuid,name,memory.used,memory.total
}

gpu_query_apps() {
  gpu_query apps --query-compute-apps gpu_uuid,pid,process_name,used_memory gpu_uuid,pid,process_name gpu_uuid,pid
}

# Asks for the first list of fields that this driver takes.
gpu_query() {
  gpu_name=$1
  gpu_option=$2
  shift 2
  for gpu_fields in "$@"; do
    : >"$gpu_folder/$gpu_name.out"
    : >"$gpu_folder/$gpu_name.err"
    echo "$gpu_fields" >"$gpu_folder/$gpu_name.fields"
    gpu_smi_ask "$gpu_option=$gpu_fields"
    gpu_code=$?
    gpu_was_told 'not a valid field' || break
  done
  # Some drivers tell of no card when one is lost: then each is asked for by itself.
  if gpu_was_told 'device handle' && ! gpu_was_told 'GPU-'; then
    for gpu_card in "$gpu_cards"/*/information; do
      gpu_card=${gpu_card%/information}
      [ ! -d "$gpu_card" ] || gpu_smi_ask --id="${gpu_card##*/}" "$gpu_option=$gpu_fields"
    done
  fi
  return "$gpu_code"
}

gpu_was_told() {
  grep -qi "$1" "$gpu_folder/$gpu_name.out" "$gpu_folder/$gpu_name.err"
}

gpu_smi_ask() {
  gpu_run "$gpu_smi" "$@" --format=csv,noheader,nounits
}

# A column of an answer: numbers and UUIDs only.
gpu_column() {
  cut -d, -f"$1" "$gpu_folder/$2.out" | tr -d ' ' | grep -x '[A-Za-z0-9-]*' | sort -u
}

# --- processes -----------------------------------------------------------------------------------------------------

# Prints `PID alive|dead|hidden USER`.
gpu_process() {
  case "$1" in '' | *[!0-9]*) return ;; esac
  printf '%s %s %s\n' "$1" "$(gpu_life "$1")" "$(gpu_user "$1")"
}

# A zombie is dead. `hidden`: there is none of this number here, but we are in a container, and it may be outside.
gpu_life() {
  if [ -d /proc/self ]; then
    gpu_stat=$(cat "/proc/$1/stat" 2>/dev/null) || gpu_stat=''
  else
    gpu_stat="$1 () $(ps -o stat= -p "$1" 2>/dev/null)"
    [ "$gpu_stat" != "$1 () " ] || gpu_stat=''
  fi
  case "${gpu_stat##*) }" in
    [ZXx]*) echo dead ;;
    ?*) echo alive ;;
    *) if gpu_answers "$1"; then echo alive; elif gpu_sees_all; then echo dead; else echo hidden; fi ;;
  esac
}

# /proc may hide the processes of other users; a signal that is not permitted proves that there is one.
gpu_answers() {
  gpu_answer=$(LC_ALL=C kill -0 "$1" 2>&1) && return
  case "$gpu_answer" in *ermitted*) ;; *) return 1 ;; esac
}

# Outside of containers: the first namespace of process numbers has this number in every Linux.
gpu_sees_all() {
  [ ! -d /proc/self ] || [ "$(readlink /proc/self/ns/pid 2>/dev/null)" = 'pid:[4026531836]' ]
}

gpu_user() {
  gpu_uid=$(sed -n 's/^Uid:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$1/status" 2>/dev/null)
  if [ -z "$gpu_uid" ]; then
    ps -o user= -p "$1" 2>/dev/null
  else
    gpu_name=$(getent passwd "$gpu_uid" 2>/dev/null)
    echo "${gpu_name%%:*}" | grep . || echo "$gpu_uid"
  fi
}
