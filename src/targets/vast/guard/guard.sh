# shellcheck shell=sh disable=SC2034,SC2154 # the settings stand above this text, and ask-vendor.sh shares the state
# The guard of a rented instance: it looks at the run, the GPUs, the time and the money, and has the vendor stop the
# instance (the disk stays) when nobody needs it any more. It needs nobody at home, and it never destroys anything.
# Above this text: its settings, the functions about processes, those of ask-vendor.sh, and in sortie_stop_run the script
# that ends a run.

sortie_state=watching sortie_reason='' sortie_asks=0 sortie_before_cs=0 sortie_elapsed_cs=0 sortie_run='' sortie_load=''
sortie_seen_attended='' sortie_seen_file='' sortie_seen_lines=0 sortie_key='' sortie_clients=''

main() {
  umask 077
  trap '' HUP
  cd "$sortie_guard_dir" || exit 1
  read_clock
  sortie_start_cs=$sortie_now_cs sortie_quiet_cs=$sortie_now_cs sortie_idle_cs=$sortie_now_cs
  find_key
  find_clients
  printf 'pid=%s\n' $$ >pid.$$ && mv -f pid.$$ pid
  go_on_from_before
  tell watching "the run in $sortie_job_dir; $sortie_limits"
  while :; do
    measure_time
    look_at_run
    look_at_gpus
    ! is_done || leave collected
    find_reason
    [ -z "$sortie_reason" ] || break
    pause_cs "$sortie_look_cs"
    is_ours || leave replaced
  done
  tell stopping "$sortie_reason"
  end_run
  have_it_stopped
}

# Started again with the machine, what had passed until then counts. Where it was this guard that stopped the machine, a
# person wants it up again: time and money are theirs to watch then.
go_on_from_before() {
  sortie_line=''
  read_line guard.json
  case "$sortie_line" in *'"state":"stopping"'*) sortie_time_limit_cs='' sortie_money_limit_cs='' ;; esac
  sortie_line=''
  read_line elapsed_cs
  case "$sortie_line" in '' | *[!0-9]*) ;; *) sortie_before_cs=$sortie_line ;; esac
}

# A line of the log, and the state as home reads it. A full disk must not end the guard.
tell() {
  sortie_state=$1
  log_line "$1: $2"
  write_state
}

log_line() {
  printf '%s %s\n' "$(utc_now)" "$1" 2>/dev/null >>guard.log
}

write_state() {
  printf '{"schema":1,"state":"%s","reason":%s,"pid":%s,"at":"%s","elapsedS":%s,"asks":%s}\n' "$sortie_state" \
    "${sortie_reason:+\"}${sortie_reason:-null}${sortie_reason:+\"}" $$ "$(utc_now)" $((sortie_elapsed_cs / 100)) \
    "$sortie_asks" 2>/dev/null >guard.json.$$ && mv -f guard.json.$$ guard.json
}

# Another guard writes the state after us where it has taken our place.
leave() {
  sortie_reason=$1
  if [ "$1" = replaced ]; then
    log_line "left: another guard has taken over"
  else
    rm -f wget.conf
    tell left "$1"
  fi
  exit 0
}

# It cannot do its work: home is told, and asks its person.
refuse() {
  sortie_reason=$1
  tell none "no guard: $2"
  exit 3
}

# The folder may have been removed: only another's number means that it is another's turn.
is_ours() {
  ! read_line pid || [ "$sortie_line" = "pid=$$" ]
}

# From the clock that never jumps.
measure_time() {
  read_clock
  sortie_elapsed_cs=$((sortie_before_cs + sortie_now_cs - sortie_start_cs))
  echo $sortie_elapsed_cs 2>/dev/null >elapsed_cs.new && mv -f elapsed_cs.new elapsed_cs
}

# Sets sortie_run: `waiting` (not started), `alive` or `ended`, and since when it needs nobody's GPU. Whoever is at work
# here from home says so by new text in `attended`; and the runs of others count as long as they live.
look_at_run() {
  find_attempt
  if is_alive "$sortie_files"; then
    sortie_run=alive
  elif [ -e "$sortie_files/pid" ] || [ -e "$sortie_files/exit" ]; then
    [ "$sortie_run" != waiting ] || sortie_quiet_cs=$sortie_now_cs
    sortie_run=ended
  else
    sortie_run=waiting
  fi
  sortie_line=''
  read_line attended
  [ "$sortie_line" = "$sortie_seen_attended" ] && [ "$sortie_run" != alive ] && ! is_other_alive || sortie_quiet_cs=$sortie_now_cs
  sortie_seen_attended=$sortie_line
}

# The newest attempt decides.
find_attempt() {
  sortie_attempt=1
  for sortie_folder in "$sortie_job_dir"/attempts/*/; do
    sortie_number=${sortie_folder%/}
    sortie_number=${sortie_number##*/}
    case "$sortie_number" in '' | *[!0-9]*) continue ;; esac
    [ "$sortie_number" -le "$sortie_attempt" ] || sortie_attempt=$sortie_number
  done
  sortie_files=$sortie_job_dir
  [ "$sortie_attempt" -eq 1 ] || sortie_files=$sortie_job_dir/attempts/$sortie_attempt
}

# Whether the supervisor or the command that a `pid` record names is still there.
is_alive() {
  [ -e "$1/pid" ] && [ ! -e "$1/exit" ] || return 1
  sortie_recorded="$(read_record boot "$1") $(read_record pid_namespace "$1")"
  [ "$sortie_recorded" = "$(boot_id) $(pid_namespace)" ] || return 1
  is_same "$(read_record supervisor "$1")" "$(read_record supervisor_start "$1")" ||
    is_same "$(read_record group "$1")" "$(read_record group_start "$1")"
}

read_record() {
  sed -n "s/^$1=//p" "$2/pid" 2>/dev/null
}

is_other_alive() {
  for sortie_pid_file in "${sortie_job_dir%/*}"/*/pid "${sortie_job_dir%/*}"/*/attempts/*/pid; do
    case "$sortie_pid_file" in "$sortie_job_dir"/*) continue ;; esac
    ! is_alive "${sortie_pid_file%/pid}" || return 0
  done
  return 1
}

is_collected() {
  [ -e "$sortie_job_dir/collected" ]
}

# The machine goes on costing money after that: its limits hold as long as it stands.
is_done() {
  [ "$sortie_run" = ended ] && is_collected && [ -z "$sortie_money_limit_cs$sortie_time_limit_cs" ]
}

# Only a load that is known and low counts as idle, and only while the run lives: after that another limit holds.
look_at_gpus() {
  [ -n "$sortie_idle_limit_cs" ] || return
  read_load
  [ "$sortie_run" = alive ] && [ -n "$sortie_load" ] && [ "$sortie_load" -le "$sortie_idle_percent" ] || sortie_idle_cs=$sortie_now_cs
}

# Sets sortie_load, the highest in percent since the last look: of the run's samples, and of all GPUs now.
read_load() {
  sortie_samples=$sortie_files/samples.csv
  [ "$sortie_samples" = "$sortie_seen_file" ] || sortie_seen_lines=0
  sortie_seen_file=$sortie_samples
  sortie_lines=0
  [ ! -e "$sortie_samples" ] || sortie_lines=$(($(wc -l <"$sortie_samples")))
  sortie_load=$({
    [ "$sortie_lines" -le "$sortie_seen_lines" ] || sample_loads "$((sortie_seen_lines + 1))"
    $(command -v timeout >/dev/null 2>&1 && echo timeout 20) nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits 2>/dev/null
  } | awk '/^ *[0-9]+(\.[0-9]+)? *$/ { seen = 1; if ($1 > most) most = $1 } END { if (seen) printf "%d", most }')
  sortie_seen_lines=$sortie_lines
}

sample_loads() {
  { head -n 1 "$sortie_samples"; tail -n "+$1" "$sortie_samples"; } | awk -F , '
    NR == 1 { for (column = 1; column <= NF; column++) if ($column ~ /_load_percent$/) loads[column]; next }
    { for (column in loads) print $column }'
}

# Sets sortie_reason once one of the limits is reached. A limit that is not set is empty.
find_reason() {
  is_over "$sortie_money_limit_cs" "$sortie_elapsed_cs" && sortie_reason=spend_cap && return
  is_over "$sortie_time_limit_cs" "$sortie_elapsed_cs" && sortie_reason=time_limit && return
  sortie_quiet_for_cs=$((sortie_now_cs - sortie_quiet_cs))
  case "$sortie_run" in
    alive) is_over "$sortie_idle_limit_cs" $((sortie_now_cs - sortie_idle_cs)) && sortie_reason=gpu_idle ;;
    ended) ! is_collected && is_over "$sortie_uncollected_limit_cs" $sortie_quiet_for_cs && sortie_reason=uncollected ;;
    waiting) is_over "$sortie_unstarted_limit_cs" $sortie_quiet_for_cs && sortie_reason=never_started ;;
  esac
}

is_over() {
  [ -n "$1" ] && [ "$2" -ge "$1" ]
}

# It can save what it has; the record says who asked. A run that has not started never will.
end_run() {
  [ "$sortie_run" != ended ] && [ -d "$sortie_job_dir" ] || return
  (
    sortie_by="guard:$sortie_reason" sortie_token=guard
    eval "$sortie_stop_run"
  ) >/dev/null 2>&1
  log_line "stopping: the run was asked to end"
}

main
