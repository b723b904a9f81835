# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Starts the supervisor of one attempt, detached from everything, and answers with its record. In a screen session
# of its own where that works, else in a plain session; whichever claims `pid` first runs, a second starts nothing.

sortie_files=$sortie_job_dir
[ "$sortie_attempt" -gt 1 ] && sortie_files=$sortie_job_dir/attempts/$sortie_attempt
# A run that is started from inside another run or screen must not carry its marks.
unset SORTIE_RUN_ID SORTIE_RUN_NAME SORTIE_RUN_DIR SORTIE_RESULTS_DIR SORTIE_ATTEMPT SORTIE_AGENT_ID SORTIE_RUN_GPUS STY WINDOW

main() {
  echo "begin=$sortie_token"
  cd / || exit 1
  for sortie_tool in tee mkfifo tail awk sed; do
    command -v $sortie_tool >/dev/null || { echo "$sortie_tool is not installed on this host" >&2; exit 1; }
  done
  [ ! -e "$sortie_files/taken" ] || rm -f "$sortie_files/taken"
  sortie_how=session sortie_screen_fault=''
  if [ -n "$sortie_session" ] && command -v screen >/dev/null 2>&1; then
    if sortie_screen_fault=$(start_in_screen 2>&1) && wait_for_word; then sortie_how=screen; fi
  fi
  if [ "$sortie_how" = session ]; then
    (new_session "$sortie_supervisor_shell" "$sortie_job_dir/run.sh" supervise "$sortie_attempt" </dev/null >/dev/null 2>&1 &)
    wait_for_word || exit 1
  fi
  echo "how=$sortie_how"
  [ -z "$sortie_screen_fault" ] || echo "screen_fault=$(printf '%s' "$sortie_screen_fault" | tr '\n' ' ')"
  if [ -e "$sortie_files/pid" ]; then
    cat "$sortie_files/pid"
  else
    echo stepped_back=yes
    cat "$sortie_files/taken"
  fi
  echo "end=$sortie_token"
}

start_in_screen() {
  TERM=${TERM:-xterm} screen -U -dmS "$sortie_session" "$sortie_supervisor_shell" "$sortie_job_dir/run.sh" supervise "$sortie_attempt"
}

# The supervisor's word: its record, or that another has taken its GPUs. It takes two seconds at most to try for them.
wait_for_word() {
  read_clock
  sortie_until_cs=$((sortie_now_cs + 1000))
  while [ ! -e "$sortie_files/pid" ] && [ ! -e "$sortie_files/taken" ]; do
    [ "$sortie_now_cs" -lt $sortie_until_cs ] || return 1
    sleep 0.01
    read_clock
  done
}

main
