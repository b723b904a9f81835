# The supervisor of one run. `run.sh supervise N` takes the GPUs, starts the command in a session of its own,
# holds the time limit, samples, waits, and writes `exit`; `run.sh command N` is the command's own side of the start.
# Above this text stand the settings of the run; before it, the functions about processes and leases.

attempt=$2
files=$JOB_DIR
[ "$attempt" -gt 1 ] && files=$JOB_DIR/attempts/$attempt
reason=''
asked=''
pending=''
gpus=''
taken=0
group=''

main() {
  USER_UMASK=$(umask)
  export USER_UMASK
  umask 077
  mkdir -p "$files" || exit 1
  cd "$files" || exit 1
  own_start=$(start_of $$)
  claim_pid || exit 0
  # Room for the exit record is taken now, so that a full disk cannot keep it from being written.
  printf '%4096s' '' >exit.tmp
  trap 'ask_stop hang_up HUP' HUP
  trap 'ask_stop INT INT' INT
  trap 'ask_stop TERM TERM' TERM
  trap 'ask_limit' USR1
  take_gpus || give_up gpu_taken
  open_log || give_up launch_failed
  [ -z "$pending" ] || give_up stopped
  oom_before=$(count_oom_kills)
  new_session_job </dev/null >log.pipe 2>&1 &
  group=$!
  [ -z "$pending" ] || press "$pending"
  sample_often &
  sampler=$!
  limit=''
  if [ -n "$TIME_LIMIT_S" ]; then
    { drop_leases; pause "$TIME_LIMIT_S" && kill -USR1 $$; } 2>/dev/null &
    limit=$!
  fi
  wait_for_command
  ended=$(utc_now)
  ended_uptime=$(uptime_seconds)
  # shellcheck disable=SC2086
  kill $sampler $limit 2>/dev/null
  finish_log
  name_reason
  write_exit "$code"
  end_leftovers
  rm -f log.pipe
}

# --- start ---------------------------------------------------------------------------------------------------

# The record of who runs this. It is linked into place: whole, and never over another's.
claim_pid() {
  write_pid "$$" >pid.own 2>/dev/null
  if ! ln pid.own pid 2>/dev/null; then
    (set -C && cat pid.own >pid) 2>/dev/null || { rm -f pid.own; return 1; }
  fi
  rm -f pid.own
}

write_pid() {
  echo "supervisor=$1"
  echo "supervisor_start=$(start_of "$1")"
  echo "boot=$(boot_id)"
  echo "pid_namespace=$(pid_namespace)"
  echo "host=$(uname -n)"
  echo "session=${STY:-}"
  echo "gpus=$gpus"
  echo "claimed_at=$(utc_now)"
}

# Takes GPU_COUNT leases among the candidates, the plan's choice first. Descriptors 3 and up hold them.
take_gpus() {
  [ "$GPU_COUNT" != none ] || return 0
  held_by_others=''
  for uuid in $GPU_CANDIDATES; do
    [ "$taken" -lt "$GPU_COUNT" ] || break
    lease_take $((taken + 3)) "$uuid"
    case $? in
      0)
        gpus=$gpus${gpus:+,}$uuid
        taken=$((taken + 1))
        ;;
      1) held_by_others=yes ;;
    esac
  done
  [ "$taken" -lt "$GPU_COUNT" ] || return 0
  # No lease could be taken at all: that is a fault of the host, not another's run.
  if [ -n "$held_by_others" ] || [ -z "$GPU_CANDIDATES" ]; then reason=gpu_taken; else reason=launch_failed; fi
  return 1
}

# The supervisor's helpers let go of the leases: only it and the command hold them.
drop_leases() {
  descriptor=3
  while [ $descriptor -lt $((taken + 3)) ]; do
    lease_drop $descriptor
    descriptor=$((descriptor + 1))
  done
}

# `tee` shows the log on the screen's window too. It must outlive the window, and the signals that end it.
open_log() {
  rm -f log.pipe
  mkfifo log.pipe || return 1
  (trap '' HUP INT TERM PIPE; drop_leases; exec tee -a log <log.pipe 2>/dev/null) &
  logger=$!
}

# Ends a run whose command was not started.
give_up() {
  reason=${reason:-$1}
  write_exit ''
  forget_env
  kill "${logger:-}" 2>/dev/null
  rm -f log.pipe
  exit 1
}

new_session_job() {
  trap - HUP INT TERM USR1
  export TAKEN_GPUS="$gpus"
  new_session sh "$JOB_DIR/run.sh" command "$attempt"
}

# The command's own side, already in its new session: it puts its own number on record and goes on only while the
# supervisor lives, so that no command runs that no record names.
command_side() {
  # shellcheck source=/dev/null
  [ ! -f "$JOB_DIR/env" ] || . "$JOB_DIR/env"
  forget_env
  SORTIE_RUN_ID=$RUN_ID SORTIE_RUN_NAME=$RUN_NAME SORTIE_RUN_DIR=$JOB_DIR
  SORTIE_RESULTS_DIR=$RESULTS_DIR SORTIE_ATTEMPT=$attempt
  export SORTIE_RUN_ID SORTIE_RUN_NAME SORTIE_RUN_DIR SORTIE_RESULTS_DIR SORTIE_ATTEMPT
  supervisor=$(sed -n 's/^supervisor=//p' "$files/pid")
  {
    sed "s/^gpus=.*/gpus=$TAKEN_GPUS/" "$files/pid"
    echo "group=$$"
    echo "group_start=$(start_of $$)"
    echo "started_at=$(utc_now)"
    echo "started_uptime=$(uptime_seconds)"
  } >"$files/pid.new" && mv -f "$files/pid.new" "$files/pid" || exit 1
  [ "$(parent_of $$)" = "$supervisor" ] || exit 1
  case "$GPU_COUNT" in
    none) export CUDA_VISIBLE_DEVICES='' ;;
    0) ;;
    *) export CUDA_VISIBLE_DEVICES="$TAKEN_GPUS" CUDA_DEVICE_ORDER=PCI_BUS_ID ;;
  esac
  umask "$USER_UMASK"
  unset TAKEN_GPUS USER_UMASK
  exec "$JOB_SHELL" "$JOB_DIR/job.sh"
}

# Its values are secrets: no longer there than a later attempt needs them.
forget_env() {
  [ "$attempt" -lt "$LAST_ATTEMPT" ] || rm -f "$JOB_DIR/env"
}

# --- while it runs -------------------------------------------------------------------------------------------

# For the supervisor's helpers: waits so many seconds, and fails as soon as the supervisor is gone. TERM ends the
# wait and the sleep at once.
pause() {
  left=$1
  trap 'kill $sleeper 2>/dev/null; exit 0' TERM
  while [ "$left" -gt 0 ]; do
    slice=$((left < 3 ? left : 3))
    sleep $slice &
    sleeper=$!
    wait $sleeper
    is_same $$ "$own_start" || return 1
    left=$((left - slice))
  done
}

# A caught signal interrupts `wait` without its answer: then the wait is taken up again.
wait_for_command() {
  while :; do
    interrupted=''
    wait $group
    code=$?
    [ -n "$interrupted" ] || return
    # The answer had come already, together with the signal.
    if [ ! -e "/proc/$group" ] && ! kill -0 $group 2>/dev/null; then return; fi
  done
}

# The first one to ask is written down, before any signal is passed on.
ask_stop() {
  interrupted=yes
  (set -C && printf 'by=%s\nat=%s\n' "$1" "$(utc_now)" >stop) 2>/dev/null
  case "$1" in
    hang_up) reason=${reason:-hang_up} ;;
    *) reason=${reason:-stopped} ;;
  esac
  if [ -n "$group" ]; then press "$2"; else pending=$2; fi
}

ask_limit() {
  interrupted=yes
  [ -e stop ] && return
  reason=${reason:-time_limit}
  press TERM
}

# The first rung is the signal, the second KILL when the grace time is over.
press() {
  signal_group "$1" $group
  [ -z "$asked" ] || return
  asked=yes
  { drop_leases; pause "$GRACE_S" && signal_group KILL $group; } &
  killer=$!
}

# time, bytes of the log, memory of the session in MiB, then memory in MiB and load in percent of each GPU.
sample_often() {
  drop_leases
  header=time,log_bytes,memory_mib
  IFS=,
  for uuid in $gpus; do header=$header,"$uuid"_memory_mib,"$uuid"_load_percent; done
  unset IFS
  echo "$header" >samples.csv
  count=0
  while :; do
    # Cleaners of temporary folders take files that nobody has touched for days.
    [ $((count % 1000)) -ne 0 ] || for uuid in $(echo "$gpus" | tr , ' '); do lease_keep "$uuid"; done
    count=$((count + 1))
    echo "$(utc_now),$(log_bytes),$(session_memory)$(gpu_sample)" >>samples.csv
    pause "$SAMPLE_S" || return
  done 2>/dev/null
}

log_bytes() {
  if [ -e log ]; then wc -c <log | tr -d ' '; else echo 0; fi
}

session_memory() {
  if [ -r /proc/self/stat ]; then
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v wanted="$group" '
      { sub(/^.*\) /, ""); split($0, field, " "); if (field[4] == wanted) pages += field[22] }
      END { printf "%d", pages * 4096 / 1048576 }'
  else
    ps -A -o sess=,rss= 2>/dev/null | awk -v wanted="$group" '$1 == wanted { kib += $2 } END { printf "%d", kib / 1024 }'
  fi
}

gpu_sample() {
  [ -n "$gpus" ] || return 0
  answer=$($(command -v timeout >/dev/null 2>&1 && echo timeout 5) nvidia-smi -i "$gpus" --query-gpu=uuid,memory.used,utilization.gpu --format=csv,noheader,nounits 2>/dev/null)
  IFS=,
  for uuid in $gpus; do
    printf '%s\n' "$answer" | awk -F ', *' -v wanted="$uuid" '
      $1 == wanted { found = 1; printf ",%s,%s", $2 + 0 == $2 ? $2 : "", $3 + 0 == $3 ? $3 : "" }
      END { if (!found) printf ",," }'
  done
  unset IFS
}

# --- end -----------------------------------------------------------------------------------------------------

# The log is whole when tee is done. A child that keeps the pipe open must not hold the end back.
finish_log() {
  tries=0
  while start_of "$logger" >/dev/null && [ $tries -lt 28 ]; do
    tries=$((tries + 1))
    if [ $tries -lt 20 ]; then sleep 0.01; else sleep 0.1; fi
  done
}

name_reason() {
  [ -n "$reason" ] && return
  if [ -e stop ]; then
    reason=stopped
  elif [ "$code" -gt 128 ] && [ "$code" -le 192 ]; then
    reason=signal
  else
    reason=exited
  fi
}

count_oom_kills() {
  cgroup=$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null)
  sed -n 's/^oom_kill //p' "/sys/fs/cgroup$cgroup/memory.events" 2>/dev/null && return
  cgroup=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup 2>/dev/null)
  sed -n 's/^oom_kill //p' "/sys/fs/cgroup/memory$cgroup/memory.oom_control" 2>/dev/null
}

# The exit record goes over the room that was kept for it, then into its place in one step.
write_exit() {
  {
    echo "code=$1"
    echo "reason=$reason"
    echo "ended_at=${ended:-$(utc_now)}"
    echo "ended_uptime=${ended_uptime:-$(uptime_seconds)}"
    echo "oom_kills=$(($(count_oom_kills 2>/dev/null || echo 0) - ${oom_before:-0}))"
    [ "$1" != 137 ] || echo "kernel=$(dmesg 2>/dev/null | grep "Killed process $group " | tail -n 1)"
  } 1<>exit.tmp
  mv -f exit.tmp exit
}

# What the command left behind gets the grace time (none where a stop was asked for: it had its TERM), then TERM,
# then KILL. The leases are held until then.
end_leftovers() {
  term_after=$GRACE_S
  kill_after=$((GRACE_S + 5))
  [ -z "$asked" ] || { term_after=0; kill_after=$GRACE_S; }
  waited=0
  # A process stuck in the kernel is not waited for without end.
  while [ $waited -lt $((kill_after + 10)) ]; do
    rest=$(rest_of_run "$RUN_ID" $group)
    [ -n "$rest" ] || break
    # shellcheck disable=SC2086 # numbers, one a word
    [ $waited -ne $term_after ] || signal_each TERM $rest
    # shellcheck disable=SC2086
    [ $waited -lt $kill_after ] || signal_each KILL $rest
    sleep 1
    waited=$((waited + 1))
  done
  kill "${killer:-}" 2>/dev/null
  kill -KILL "$logger" 2>/dev/null
}

case "$1" in
  supervise) main ;;
  command) command_side ;;
esac
