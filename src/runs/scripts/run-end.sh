# shellcheck shell=sh disable=SC2034,SC2154 # the settings and the supervisor's state are shared with run.sh
# The supervisor when its command has ended: the log is finished, the reason named, the exit recorded, the rest ended.

# The log is whole when tee is done. A child that keeps the pipe open must not hold the end back.
finish_log() {
  sortie_tries=0
  while start_of "$sortie_logger" >/dev/null && [ $sortie_tries -lt 28 ]; do
    sortie_tries=$((sortie_tries + 1))
    if [ $sortie_tries -lt 20 ]; then sleep 0.01; else sleep 0.1; fi
  done
}

name_reason() {
  [ -n "$sortie_reason" ] && return
  if [ -e stop ]; then
    sortie_reason=stopped
  elif [ "$sortie_code" -gt 128 ] && [ "$sortie_code" -le 192 ]; then
    sortie_reason=signal
  else
    sortie_reason=exited
  fi
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
    [ "$1" != 137 ] || echo "kernel=$(dmesg 2>/dev/null | grep "Killed process $sortie_group " | tail -n 1)"
  } 1<>"$sortie_exit_room"
  mv -f "$sortie_exit_room" exit
}

# What the command left behind gets the grace time (none where a stop was asked for: it had its TERM), then TERM,
# then KILL. The leases are held until then.
end_leftovers() {
  sortie_term_after=$sortie_grace_s
  sortie_kill_after=$((sortie_grace_s + 5))
  [ -z "$sortie_asked" ] || { sortie_term_after=0; sortie_kill_after=$sortie_grace_s; }
  sortie_waited=0
  # A process stuck in the kernel is not waited for without end.
  while [ $sortie_waited -lt $((sortie_kill_after + 10)) ]; do
    sortie_rest=$(rest_of_run "$sortie_run_id" "$sortie_group")
    [ -n "$sortie_rest" ] || break
    # shellcheck disable=SC2086 # numbers, one a word
    [ $sortie_waited -ne $sortie_term_after ] || signal_each TERM $sortie_rest
    # shellcheck disable=SC2086
    [ $sortie_waited -lt $sortie_kill_after ] || signal_each KILL $sortie_rest
    sleep 1
    sortie_waited=$((sortie_waited + 1))
  done
  kill "${sortie_killer:-}" 2>/dev/null
  kill -KILL "$sortie_logger" 2>/dev/null
}
