# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Waits for what becomes of a command that was just started: until it is on record, then for a moment, or to its end.
# Above this text: sortie_job_dir, sortie_attempt, sortie_watch_cs (hundredths of a second), and the functions about processes.

# A start takes tens of milliseconds; a host under load may need longer.
watch_start() {
  sortie_files=$sortie_job_dir
  [ "$sortie_attempt" -gt 1 ] && sortie_files=$sortie_job_dir/attempts/$sortie_attempt
  wait_while_missing 1000 is_begun || return 0
  wait_while_missing "$sortie_watch_cs" is_over
}

is_begun() {
  [ -e "$sortie_files/exit" ] || grep -q '^group=' "$sortie_files/pid" 2>/dev/null
}

is_over() {
  [ -e "$sortie_files/exit" ]
}

wait_while_missing() {
  read_clock
  sortie_until_cs=$((sortie_now_cs + $1))
  until "$2"; do
    [ "$sortie_now_cs" -lt "$sortie_until_cs" ] || return 1
    sleep 0.02 2>/dev/null || sleep 1
    read_clock
  done
}
