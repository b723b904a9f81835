# shellcheck shell=sh disable=SC2034,SC2154 # the settings and the supervisor's state are shared with run.sh
# The supervisor when its command has ended: the log is finished, the reason named, the exit recorded, the rest ended.

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
  } 1<>"$exit_room"
  mv -f "$exit_room" exit
}

# What the command left behind gets the grace time (none where a stop was asked for: it had its TERM), then TERM,
# then KILL. The leases are held until then.
end_leftovers() {
  term_after=$sortie_grace_s
  kill_after=$((sortie_grace_s + 5))
  [ -z "$asked" ] || { term_after=0; kill_after=$sortie_grace_s; }
  waited=0
  # A process stuck in the kernel is not waited for without end.
  while [ $waited -lt $((kill_after + 10)) ]; do
    rest=$(rest_of_run "$sortie_run_id" "$group")
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
