# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Ends one run: says who asked, TERM to its group, the grace time, KILL, then what left the group but carries the run.
# Answers with `survivors=`. Above this text: sortie_job_dir, sortie_attempt, sortie_run_id, sortie_grace_s, sortie_by, sortie_token.

sortie_files=$sortie_job_dir
[ "$sortie_attempt" -gt 1 ] && sortie_files=$sortie_job_dir/attempts/$sortie_attempt

main() {
  echo "begin=$sortie_token"
  umask 077
  mkdir -p "$sortie_files" && cd "$sortie_files" || exit 1
  [ -e exit ] || (set -C && printf 'by=%s\nat=%s\ngrace_s=%s\n' "$sortie_by" "$(utc_now)" "$sortie_grace_s" >stop) 2>/dev/null
  sortie_group='' sortie_supervisor=''
  # Not started yet: then it never will be, and nothing reads its variables any more.
  if echo closed=yes >pid.$$ && put_once pid.$$ pid; then
    rm -f "$sortie_job_dir/env"
    # Unless its folder was removed while it ran.
    [ -n "$(rest_of_run "$sortie_run_id" '')" ] || { finish; exit 0; }
  fi
  sortie_group=$(find_living group)
  sortie_supervisor=$(find_living supervisor)
  # Before the command is there, only its supervisor can keep it from starting.
  if [ -n "$sortie_group" ]; then
    signal_group TERM "$sortie_group"
  elif [ -n "$sortie_supervisor" ]; then
    kill -TERM "$sortie_supervisor"
  else
    signal_rest TERM
  fi
  wait_until_gone "$sortie_grace_s" TERM || wait_until_gone 5 KILL
  [ -e exit ] || [ -n "$(find_living supervisor)" ] || write_exit
  finish
}

read_key() {
  sed -n "s/^$1=//p" pid
}

# The number of the group or supervisor while it is the very process that the record means.
find_living() {
  [ "$(read_key boot) $(read_key pid_namespace)" = "$(boot_id) $(pid_namespace)" ] || return 0
  sortie_number=$(read_key "$1")
  is_same "$sortie_number" "$(read_key "$1_start")" && echo "$sortie_number"
}

# So many seconds at most. Those outside the group get their TERM after the command itself has ended; KILL goes to all,
# as long as there are any: some may be new.
wait_until_gone() {
  read_clock
  sortie_until_cs=$((sortie_now_cs + $1 * 100))
  sortie_asked_rest=''
  until is_gone; do
    if [ "$2" = KILL ]; then
      signal_rest KILL
    elif [ -z "$sortie_asked_rest" ] && [ -e exit ]; then
      signal_rest TERM
      sortie_asked_rest=yes
    fi
    read_clock
    [ "$sortie_now_cs" -lt $sortie_until_cs ] || return 1
    sleep 0.1 2>/dev/null || sleep 1
  done
}

# While a supervisor has written no exit, its command may be about to start.
is_gone() {
  [ -z "$(rest_of_run "$sortie_run_id" "$sortie_group")" ] || return 1
  [ -e exit ] || [ -z "$(find_living supervisor)" ]
}

signal_rest() {
  # shellcheck disable=SC2046 # numbers, one a word
  signal_each "$1" $(rest_of_run "$sortie_run_id" "$sortie_group")
}

# The supervisor writes the exit record; where it is dead, nobody else would.
write_exit() {
  printf 'code=\nreason=stopped\nended_at=%s\nended_uptime=%s\n' "$(utc_now)" "$(uptime_seconds)" >exit.$$ &&
    put_once exit.$$ exit
}

finish() {
  [ -e exit ] || sortie_supervisor=$(find_living supervisor)
  [ ! -e exit ] || sortie_supervisor=''
  echo "survivors=$({ rest_of_run "$sortie_run_id" "$sortie_group"; echo "$sortie_supervisor"; } | tr '\n' ' ')"
  echo "end=$sortie_token"
}

main
