# shellcheck shell=sh disable=SC2034,SC2154 # the settings and the supervisor's state are shared with run.sh
# The supervisor when its command has ended: the log is finished, the reason named, the exit recorded, the rest ended.

# The log is whole when tee is done. A child that keeps the pipe open must not hold the end back.
finish_log() {
  read_clock
  sortie_until_cs=$((sortie_now_cs + 100))
  while read_start "$sortie_logger" && [ "$sortie_now_cs" -lt $sortie_until_cs ]; do
    sleep 0.01
    read_clock
  done
}

name_reason() {
  [ -n "$sortie_reason" ] && return
  if [ -e stop ]; then
    sortie_reason=stopped
  elif ! was_started; then
    sortie_reason=launch_failed
    sortie_fault="the shell that starts the command ended before that, with code $sortie_code; the log may say why"
    sortie_code=''
  elif [ "$sortie_code" -gt 128 ] && [ "$sortie_code" -le 192 ]; then
    sortie_reason=signal
  else
    sortie_reason=exited
  fi
}

# The command's own side writes that down just before it becomes the command.
was_started() {
  while IFS= read -r sortie_line; do
    case "$sortie_line" in started_at=*) return 0 ;; esac
  done <pid
  return 1
}

count_oom_kills() {
  sortie_cgroup=$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null)
  sed -n 's/^oom_kill //p' "/sys/fs/cgroup$sortie_cgroup/memory.events" 2>/dev/null && return
  sortie_cgroup=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup 2>/dev/null)
  sed -n 's/^oom_kill //p' "/sys/fs/cgroup/memory$sortie_cgroup/memory.oom_control" 2>/dev/null
}

# The exit record goes over the room that was kept for it, then into its place in one step.
write_exit() {
  {
    echo "code=$1"
    echo "reason=$sortie_reason"
    echo "ended_at=${sortie_ended:-$(utc_now)}"
    echo "ended_uptime=${sortie_ended_uptime:-$(uptime_seconds)}"
    echo "oom_kills=$(($(count_oom_kills 2>/dev/null || echo 0) - ${sortie_oom_before:-0}))"
    [ -z "$sortie_fault" ] || echo "fault=$sortie_fault"
    [ "$1" != 137 ] || echo "kernel=$(dmesg 2>/dev/null | grep "Killed process $sortie_group " | tail -n 1)"
  } 1<>"$sortie_exit_room"
  mv -f "$sortie_exit_room" exit
}

# What the command left behind gets the grace time (none where a stop was asked for: it had its TERM), then TERM,
# then KILL. The leases are held until then. An attempt that follows one that was killed needs them soon.
end_leftovers() {
  read_clock
  sortie_term_at_cs=$((sortie_now_cs + sortie_grace_s * 100))
  ! may_be_followed || sortie_term_at_cs=$sortie_now_cs
  sortie_kill_at_cs=$((sortie_term_at_cs + 500))
  [ -z "$sortie_asked" ] || { sortie_kill_at_cs=$sortie_term_at_cs; sortie_term_at_cs=$sortie_now_cs; }
  sortie_asked_rest=''
  while :; do
    sortie_rest=$(rest_of_run "$sortie_run_id" "$sortie_group")
    [ -n "$sortie_rest" ] || break
    read_clock
    # shellcheck disable=SC2086 # numbers, one a word
    if [ "$sortie_now_cs" -ge $sortie_kill_at_cs ]; then
      signal_each KILL $sortie_rest
      # A process stuck in the kernel is not waited for without end.
      [ "$sortie_now_cs" -lt $((sortie_kill_at_cs + 1000)) ] || break
    elif [ "$sortie_now_cs" -ge $sortie_term_at_cs ] && [ -z "$sortie_asked_rest" ]; then
      signal_each TERM $sortie_rest
      sortie_asked_rest=yes
    fi
    sleep 0.5 2>/dev/null || sleep 1
  done
  kill "${sortie_killer:-}" 2>/dev/null
  kill -KILL "$sortie_logger" 2>/dev/null
}

may_be_followed() {
  [ "$sortie_reason" = signal ] && [ "$sortie_attempt" -lt "$sortie_last_attempt" ]
}
