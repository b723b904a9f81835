# shellcheck shell=sh disable=SC2034,SC2154 # the supervisor's state is shared with run-watch.sh and run-end.sh
# The supervisor of one run. `run.sh supervise N` takes the GPUs, starts the command in a session of its own,
# holds the time limit, samples, waits, and writes `exit`; `run.sh command N` is the command's own side of the start.
# Above this text stand the settings of the run; before it, the functions about processes and leases.

attempt=$2
files=$sortie_job_dir
[ "$attempt" -gt 1 ] && files=$sortie_job_dir/attempts/$attempt
# Every name is set here: one that is not might come from the caller's environment.
reason='' asked='' pending='' interrupted='' gpus='' taken=0 held_by='' group='' code=''
exit_room='' logger='' sampler='' limit='' killer='' sleeper='' ended='' ended_uptime='' oom_before=''

main() {
  sortie_user_umask=$(umask)
  export sortie_user_umask
  umask 077
  [ -d "$files" ] || mkdir -p "$files" || exit 1
  cd "$files" || exit 1
  [ ! -e pid ] || exit 0
  own_start=$(start_of $$)
  trap 'ask_stop hang_up HUP' HUP
  trap 'ask_stop INT INT' INT
  trap 'ask_stop TERM TERM' TERM
  trap 'ask_limit' USR1
  take_gpus || step_back
  # Room for the records is taken now, so that a full disk cannot keep them from being written.
  exit_room=exit.$$.tmp
  keep_room "$exit_room" || exit 1
  claim_pid || { rm -f "$exit_room"; exit 0; }
  [ -z "$reason" ] || give_up
  keep_room pid.new || give_up disk_full
  open_log || give_up launch_failed
  [ -z "$pending" ] || give_up stopped
  oom_before=$(count_oom_kills)
  new_session_job </dev/null >log.pipe 2>&1 9>&- &
  group=$!
  exec 9>&-
  [ -z "$pending" ] || press "$pending"
  sample_often &
  sampler=$!
  if [ -n "$sortie_time_limit_s" ]; then
    { drop_leases; pause "$sortie_time_limit_s" && kill -USR1 $$; } 2>/dev/null &
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

keep_room() {
  printf '%4096s' '' >"$1" 2>/dev/null
}

# Takes sortie_gpu_count leases among the candidates, the plan's choice first. Descriptors 3 and up hold them, but for 9,
# which is the log's. Someone who only looks holds a lease for a moment too: for two seconds it is tried again.
take_gpus() {
  [ "$sortie_gpu_count" != none ] || return 0
  lease_patience=0 rounds=0
  while :; do
    take_free_gpus
    if [ "$taken" -ge "$sortie_gpu_count" ]; then
      held_by=''
      return 0
    fi
    if [ -z "$held_by" ] || [ -n "$pending" ] || [ $rounds -ge 20 ]; then break; fi
    rounds=$((rounds + 1))
    sleep 0.1 2>/dev/null || sleep 1
  done
  # No lease could be taken at all: that is a fault of the host, not another's run.
  if [ -n "$held_by" ] || [ -z "$sortie_gpu_candidates" ]; then reason=${reason:-gpu_taken}; else reason=${reason:-launch_failed}; fi
  return 1
}

take_free_gpus() {
  held_by=''
  for uuid in $sortie_gpu_candidates; do
    [ "$taken" -lt "$sortie_gpu_count" ] || break
    case ",$gpus," in *",$uuid,"*) continue ;; esac
    lease_take $((taken + 3 + (taken >= 6))) "$uuid"
    case $? in
      0)
        gpus=$gpus${gpus:+,}$uuid
        taken=$((taken + 1))
        ;;
      1) held_by=$held_by${held_by:+; }$(describe_holder "$uuid") ;;
    esac
  done
}

# `GPU-… by run r1 of anna since …`, as far as its holder says so.
describe_holder() {
  printf '%s by %s' "$1" "$(lease_holder "$1" | sed -n 's/^run=\(..*\)/run \1/p; s/^user=\(..*\)/of \1/p; s/^since=/since /p' | tr '\n' ' ')"
}

# The supervisor's helpers let go of the leases: only it and the command hold them.
drop_leases() {
  held=0
  while [ $held -lt "$taken" ]; do
    lease_drop $((held + 3 + (held >= 6)))
    held=$((held + 1))
  done
}

# A run that may wait for its GPUs goes back to its place in line: nothing is on record then, as if it had not been
# started. Where the same run holds the lease, another supervisor of it was quicker.
step_back() {
  case "$held_by" in *"run $sortie_run_id "*) exit 0 ;; esac
  [ "$sortie_if_taken" = wait ] && [ "$reason" = gpu_taken ] || return 0
  printf 'held_by=%s\n' "$held_by" >taken.new && mv -f taken.new taken
  exit 0
}

# The record of who runs this: whole, and never over another's.
claim_pid() {
  write_pid >pid.$$ 2>/dev/null && put_once pid.$$ pid
}

write_pid() {
  printf '%s\n' "supervisor=$$" "supervisor_start=$own_start" "boot=$(boot_id)" \
    "pid_namespace=$(pid_namespace)" "host=$(host_name)" "session=${STY:-}" "gpus=$gpus" \
    ${held_by:+"held_by=$held_by"} "claimed_at=$(utc_now)"
}

# `tee` shows the log on the screen's window too. It must outlive the window, and the signals that end it. The pipe is
# held open until both sides have it: opening one waits for the other side, which may have been killed.
open_log() {
  rm -f log.pipe
  mkfifo log.pipe && command exec 9<>log.pipe || return 1
  (trap '' HUP INT TERM PIPE; drop_leases; exec tee -a log <log.pipe 9>&- 2>/dev/null) &
  logger=$!
}

# Ends a run whose command was not started.
give_up() {
  reason=${reason:-$1}
  write_exit ''
  forget_env
  [ -z "$logger" ] || kill "$logger" 2>/dev/null
  rm -f log.pipe pid.new
  exit 1
}

new_session_job() {
  trap - HUP INT TERM USR1
  # A run that the watcher starts has its caller's environment in the file, and nothing of the watcher's.
  if [ "$sortie_environment" = file ]; then
    new_session env -i "PATH=$PATH" "sortie_user_umask=$sortie_user_umask" sh "$sortie_job_dir/run.sh" command "$attempt"
  else
    new_session sh "$sortie_job_dir/run.sh" command "$attempt"
  fi
}

# The command's own side, already in its new session: it puts its own number on record and goes on only while the
# supervisor lives, so that no command runs that no record names.
command_side() {
  variables=$(cat "$sortie_job_dir/env" 2>/dev/null)
  forget_env
  supervisor=$(sed -n 's/^supervisor=//p' "$files/pid")
  gpus=$(sed -n 's/^gpus=//p' "$files/pid")
  {
    cat "$files/pid"
    echo "group=$$"
    echo "group_start=$(start_of $$)"
    echo "started_at=$(utc_now)"
    echo "started_uptime=$(uptime_seconds)"
  } 1<>"$files/pid.new" && mv -f "$files/pid.new" "$files/pid" || exit 1
  [ "$(parent_of $$)" = "$supervisor" ] || exit 1
  umask "$sortie_user_umask"
  # From here on the names belong to the run: what is still needed is in $1 and up.
  set -- "$(command -v "$sortie_job_shell")" "$sortie_job_dir" "$sortie_run_id" "$sortie_run_name" "$sortie_results_dir" "$attempt" "$sortie_gpu_count" "$gpus"
  unset sortie_user_umask
  eval "unset variables
$variables"
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
  [ "$attempt" -lt "$sortie_last_attempt" ] || rm -f "$sortie_job_dir/env"
}

case "$1" in
  supervise) main ;;
  command) command_side ;;
esac
