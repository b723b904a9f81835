# shellcheck shell=sh disable=SC2034,SC2154 # the supervisor's state is shared with run-watch.sh and run-end.sh
# The supervisor of one run. `run.sh supervise N` takes the GPUs, starts the command in a session of its own,
# holds the time limit, samples, waits, and writes `exit`; `run.sh command N` is the command's own side of the start.
# Above this text stand the settings of the run; before it, the functions about processes and leases.

sortie_attempt=$2
sortie_files=$sortie_job_dir
[ "$sortie_attempt" -gt 1 ] && sortie_files=$sortie_job_dir/attempts/$sortie_attempt
# Every name is set here: one that is not might come from the caller's environment. All begin with sortie_, in the other
# scripts too: a shell that sets a name which the caller exported hands its own value on to the command.
sortie_reason='' sortie_asked='' sortie_pending='' sortie_interrupted='' sortie_gpus='' sortie_taken=0 sortie_held_by='' sortie_group='' sortie_code=''
sortie_exit_room='' sortie_logger='' sortie_window='' sortie_sampler='' sortie_limit='' sortie_killer='' sortie_sleeper='' sortie_ended='' sortie_ended_uptime='' sortie_oom_before='' sortie_fault=''

main() {
  sortie_user_umask=$(umask)
  export sortie_user_umask
  umask 077
  [ -d "$sortie_files" ] || mkdir -p "$sortie_files" || exit 1
  cd "$sortie_files" || exit 1
  [ ! -e pid ] || exit 0
  read_start $$
  sortie_own_start=$sortie_start
  trap 'ask_stop hang_up HUP' HUP
  trap 'ask_stop INT INT' INT
  trap 'ask_stop QUIT QUIT' QUIT
  trap 'ask_stop TERM TERM' TERM
  trap 'ask_limit' USR1
  take_gpus || step_back
  # Room for the records is taken now, so that a full disk cannot keep them from being written.
  sortie_exit_room=exit.$$.tmp
  keep_room "$sortie_exit_room" || exit 1
  claim_pid || { rm -f "$sortie_exit_room"; exit 0; }
  # The screen's window may stand still (its copy mode does that): nothing but the helper that shows the log writes to it.
  exec >/dev/null 2>&1
  [ -z "$sortie_reason" ] || give_up
  keep_room pid.new || give_up disk_full
  open_log || give_up launch_failed
  [ -z "${STY:-}" ] || show_log
  [ -z "$sortie_pending" ] || give_up stopped
  sortie_oom_before=$(count_oom_kills)
  new_session_job </dev/null >log.pipe 2>&1 9>&- &
  sortie_group=$!
  exec 9>&-
  [ -z "$sortie_pending" ] || press "$sortie_pending"
  sample_often &
  sortie_sampler=$!
  if [ -n "$sortie_time_limit_s" ]; then
    { drop_leases; pause "$sortie_time_limit_s" && kill -USR1 $$; } 2>/dev/null &
    sortie_limit=$!
  fi
  wait_for_command
  sortie_ended=$(utc_now)
  sortie_ended_uptime=$(uptime_seconds)
  # shellcheck disable=SC2086
  kill $sortie_sampler $sortie_limit 2>/dev/null
  finish_log
  name_reason
  write_exit "$sortie_code"
  forget_env
  end_leftovers
  [ -z "$sortie_window" ] || kill -KILL "$sortie_window" 2>/dev/null
  rm -f log.pipe
}

keep_room() {
  printf '%4096s' '' >"$1" 2>/dev/null
}

# Takes sortie_gpu_count leases among the candidates, the plan's choice first. Descriptors 3 and up hold them, but for 9,
# which is the log's, and those from 10 up, where bash keeps what it redirects for a moment. Someone who only looks holds a lease for a moment too: for two seconds it is tried again.
take_gpus() {
  [ "$sortie_gpu_count" != none ] || return 0
  sortie_lease_patience=0
  read_clock
  sortie_until_cs=$((sortie_now_cs + 200))
  while :; do
    take_free_gpus
    if [ "$sortie_taken" -ge "$sortie_gpu_count" ]; then
      sortie_held_by=''
      return 0
    fi
    if [ -z "$sortie_held_by" ] || [ -n "$sortie_pending" ] || [ "$sortie_now_cs" -ge $sortie_until_cs ]; then break; fi
    sleep 0.1 2>/dev/null || sleep 1
    read_clock
  done
  # No lease could be taken at all: that is a fault of the host, not another's run.
  if [ -n "$sortie_held_by" ] || [ -z "$sortie_gpu_candidates" ]; then sortie_reason=${sortie_reason:-gpu_taken}; else sortie_reason=${sortie_reason:-launch_failed}; fi
  return 1
}

take_free_gpus() {
  sortie_held_by=''
  for sortie_uuid in $sortie_gpu_candidates; do
    [ "$sortie_taken" -lt "$sortie_gpu_count" ] || break
    case ",$sortie_gpus," in *",$sortie_uuid,"*) continue ;; esac
    lease_take $((sortie_taken + 3 + (sortie_taken >= 6) * 11)) "$sortie_uuid"
    case $? in
      0)
        sortie_gpus=$sortie_gpus${sortie_gpus:+,}$sortie_uuid
        sortie_taken=$((sortie_taken + 1))
        ;;
      1) sortie_held_by=$sortie_held_by${sortie_held_by:+; }$(describe_holder "$sortie_uuid") ;;
    esac
  done
}

# `GPU-… by run r1 of anna since …`, as far as its holder says so.
describe_holder() {
  printf '%s by %s' "$1" "$(lease_holder "$1" | sed -n 's/^run=\(..*\)/run \1/p; s/^user=\(..*\)/of \1/p; s/^since=/since /p' | tr '\n' ' ')"
}

# The supervisor's helpers let go of the leases: only it and the command hold them.
drop_leases() {
  sortie_held=0
  while [ $sortie_held -lt "$sortie_taken" ]; do
    lease_drop $((sortie_held + 3 + (sortie_held >= 6) * 11))
    sortie_held=$((sortie_held + 1))
  done
}

# A run that may wait for its GPUs goes back to its place in line: nothing is on record then, as if it had not been
# started. Where the same run holds the lease, another supervisor of it was quicker, or an earlier attempt has left something.
step_back() {
  case "$sortie_held_by" in *"run $sortie_run_id "*) [ "$sortie_attempt" -gt 1 ] || exit 0 ;; esac
  [ "$sortie_if_taken" = wait ] && [ "$sortie_reason" = gpu_taken ] || return 0
  printf 'held_by=%s\n' "$sortie_held_by" >taken.new && mv -f taken.new taken
  exit 0
}

# The record of who runs this: whole, and never over another's.
claim_pid() {
  write_pid >pid.$$ 2>/dev/null && put_once pid.$$ pid
}

# Few programs are started for it, and each by the shell itself: a launch waits for this record.
write_pid() {
  read_host
  sortie_namespace=$(readlink /proc/self/ns/pid 2>/dev/null) || sortie_namespace=none
  sortie_now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  printf '%s\n' "supervisor=$$" "supervisor_start=$sortie_own_start" "boot=$sortie_boot" \
    "pid_namespace=$sortie_namespace" "host=$sortie_host" "session=${STY:-}" "gpus=$sortie_gpus" \
    ${sortie_held_by:+"held_by=$sortie_held_by"} "claimed_at=$sortie_now"
}

# `tee` takes what the command writes even where the log cannot be written. It must outlive the window, and the signals
# that end it. The pipe is held open until both sides have it: opening one waits for the other side, which may have been
# killed.
open_log() {
  rm -f log.pipe
  mkfifo log.pipe && command exec 9<>log.pipe || return 1
  : >>log
  (trap '' HUP INT TERM PIPE QUIT; drop_leases; exec tee -a log <log.pipe 9>&-) &
  sortie_logger=$!
}

# Shows the log on the screen's window, apart from the way that it takes to the disk.
show_log() {
  (trap '' INT TERM QUIT; drop_leases; exec tail -n +1 -f log >/dev/tty 9>&-) &
  sortie_window=$!
}

# Ends a run whose command was not started.
give_up() {
  sortie_reason=${sortie_reason:-$1}
  write_exit ''
  forget_env
  # shellcheck disable=SC2086 # numbers, or nothing
  kill -KILL $sortie_logger $sortie_window 2>/dev/null
  rm -f log.pipe pid.new
  exit 1
}

new_session_job() {
  trap - HUP INT TERM QUIT USR1
  set -- "$sortie_supervisor_shell" "$sortie_job_dir/run.sh" command "$sortie_attempt"
  # A run that the watcher starts has its caller's environment in the file, and nothing of the watcher's.
  [ "$sortie_environment" != file ] || set -- env -i "PATH=$PATH" "sortie_user_umask=$sortie_user_umask" "$@"
  # What a shell puts into the background ignores INT and QUIT, and hands that on; no shell can undo it.
  if env --default-signal=INT,QUIT true 2>/dev/null; then
    set -- env --default-signal=INT,QUIT "$@"
  elif command -v perl >/dev/null 2>&1; then
    # shellcheck disable=SC2016 # a program of perl
    set -- perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; exec @ARGV' -- "$@"
  fi
  new_session "$@"
}

# The command's own side, already in its new session: it puts its own number on record and goes on only while the
# supervisor lives, so that no command runs that no record names.
command_side() {
  sortie_variables=$(cat "$sortie_job_dir/env" 2>/dev/null)
  forget_env
  sortie_shell=$(command -v "$sortie_job_shell") || {
    echo "sortie: there is no $sortie_job_shell on this host" >&2
    exit 127
  }
  sortie_supervisor=$(sed -n 's/^supervisor=//p' "$sortie_files/pid")
  sortie_gpus=$(sed -n 's/^gpus=//p' "$sortie_files/pid")
  {
    cat "$sortie_files/pid"
    echo "group=$$"
    echo "group_start=$(start_of $$)"
    echo "started_at=$(utc_now)"
    echo "started_uptime=$(uptime_seconds)"
  } 1<>"$sortie_files/pid.new" && mv -f "$sortie_files/pid.new" "$sortie_files/pid" || exit 1
  [ "$(parent_of $$)" = "$sortie_supervisor" ] || exit 1
  umask "$sortie_user_umask"
  # From here on the names belong to the run: what is still needed is in $1 and up.
  set -- "$sortie_shell" "$sortie_job_dir" "$sortie_run_id" "$sortie_run_name" "$sortie_results_dir" "$sortie_attempt" "$sortie_gpu_count" "$sortie_gpus" "$sortie_variables"
  # Also where the caller exported such a name: the shell would hand on our value for it.
  # shellcheck disable=SC2046 # names, one a word
  unset $(set | sed -n 's/^\(sortie_[a-z_]*\)=.*/\1/p')
  eval "$9"
  export SORTIE_RUN_DIR="$2" SORTIE_RUN_ID="$3" SORTIE_RUN_NAME="$4" SORTIE_RESULTS_DIR="$5" SORTIE_ATTEMPT="$6"
  case "$7" in
    none) export CUDA_VISIBLE_DEVICES='' ;;
    0) ;;
    *) export CUDA_VISIBLE_DEVICES="$8" CUDA_DEVICE_ORDER=PCI_BUS_ID ;;
  esac
  exec "$1" "$2/job.sh"
}

# Its values are secrets: no longer there than a later attempt needs them.
forget_env() {
  [ "$sortie_attempt" -lt "$sortie_last_attempt" ] || rm -f "$sortie_job_dir/env"
}

case "$1" in
  supervise) main ;;
  command) command_side ;;
esac
