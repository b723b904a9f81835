# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Starts the supervisor of one attempt, detached from everything, and answers with its record. In a screen session
# of its own where that works, else in a plain session; whichever claims `pid` first runs, a second starts nothing.

files=$sortie_job_dir
[ "$sortie_attempt" -gt 1 ] && files=$sortie_job_dir/attempts/$sortie_attempt
# A run that is started from inside another run or screen must not carry its marks.
unset SORTIE_RUN_ID SORTIE_RUN_NAME SORTIE_RUN_DIR SORTIE_RESULTS_DIR SORTIE_ATTEMPT STY WINDOW

main() {
  echo "begin=$sortie_token"
  cd / || exit 1
  [ ! -e "$files/taken" ] || rm -f "$files/taken"
  how=session screen_fault=''
  if [ -n "$sortie_session" ] && command -v screen >/dev/null 2>&1; then
    if screen_fault=$(start_in_screen 2>&1) && wait_for_word; then how=screen; fi
  fi
  if [ "$how" = session ]; then
    (new_session "$sortie_supervisor_shell" "$sortie_job_dir/run.sh" supervise "$sortie_attempt" </dev/null >/dev/null 2>&1 &)
    wait_for_word || exit 1
  fi
  echo "how=$how"
  [ -z "$screen_fault" ] || echo "screen_fault=$(printf '%s' "$screen_fault" | tr '\n' ' ')"
  if [ -e "$files/pid" ]; then
    cat "$files/pid"
  else
    echo stepped_back=yes
    cat "$files/taken"
  fi
  echo "end=$sortie_token"
}

start_in_screen() {
  TERM=${TERM:-xterm} screen -U -dmS "$sortie_session" "$sortie_supervisor_shell" "$sortie_job_dir/run.sh" supervise "$sortie_attempt"
}

# The supervisor's word: its record, or that another has taken its GPUs. It takes two seconds at most to try for them.
wait_for_word() {
  left=1000
  while [ ! -e "$files/pid" ] && [ ! -e "$files/taken" ]; do
    [ "$left" -gt 0 ] || return 1
    sleep 0.01
    left=$((left - 1))
  done
}

main
