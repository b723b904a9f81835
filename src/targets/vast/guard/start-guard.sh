# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Puts the guard's text into its folder and starts it, detached from everything; a guard that is there already gives way.
# Answers with its first state. Above this text: sortie_guard_dir, sortie_guard_text, sortie_token.

# What carries a run's mark is ended with the run.
unset SORTIE_RUN_ID SORTIE_RUN_NAME SORTIE_RUN_DIR SORTIE_RESULTS_DIR SORTIE_ATTEMPT

main() {
  echo "begin=$sortie_token"
  umask 077
  mkdir -p "$sortie_guard_dir" && chmod 700 "$sortie_guard_dir" && cd "$sortie_guard_dir" || exit 1
  printf '%s\n' "$sortie_guard_text" >guard.sh.$$ && mv -f guard.sh.$$ guard.sh || exit 1
  rm -f guard.json elapsed_cs
  (new_session sh "$sortie_guard_dir/guard.sh" </dev/null >/dev/null 2>guard.err &)
  wait_for_state || { head -c 1000 guard.err >&2; exit 1; }
  echo "state=$(cat guard.json)"
  echo "words=$(tail -n 1 guard.log)"
  echo "end=$sortie_token"
}

wait_for_state() {
  read_clock
  sortie_until_cs=$((sortie_now_cs + 1500))
  while [ ! -e guard.json ]; do
    [ "$sortie_now_cs" -lt $sortie_until_cs ] || return 1
    sleep 0.02 2>/dev/null || sleep 1
    read_clock
  done
}

main
