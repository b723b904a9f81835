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
  wait_until_gone $((sortie_grace_s * 10)) || signal_rest KILL
  wait_until_gone 50
  [ -e exit ] || wait_for_exit
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

# At most so many tenths of a second; those outside the group get their TERM after the command itself has ended.
wait_until_gone() {
  sortie_left=$1
  sortie_asked_rest=''
  while [ -n "$(rest_of_run "$sortie_run_id" "$sortie_group")" ]; do
    [ "$sortie_left" -gt 0 ] || return 1
    if [ -z "$sortie_asked_rest" ] && [ -e exit ]; then
      signal_rest TERM
      sortie_asked_rest=yes
    fi
    sleep 0.1
    sortie_left=$((sortie_left - 1))
  done
}

signal_rest() {
  # shellcheck disable=SC2046 # numbers, one a word
  signal_each "$1" $(rest_of_run "$sortie_run_id" "$sortie_group")
}

# The supervisor writes the exit record; where it is dead, nobody else would.
wait_for_exit() {
  sortie_left=50
  while [ ! -e exit ] && [ $sortie_left -gt 0 ] && [ -n "$(find_living supervisor)" ]; do
    sleep 0.1
    sortie_left=$((sortie_left - 1))
  done
  [ -e exit ] && return
  printf 'code=\nreason=stopped\nended_at=%s\nended_uptime=%s\n' "$(utc_now)" "$(uptime_seconds)" >exit.$$ &&
    put_once exit.$$ exit
}

finish() {
  echo "survivors=$(rest_of_run "$sortie_run_id" "$sortie_group" | tr '\n' ' ')"
  echo "end=$sortie_token"
}

main
