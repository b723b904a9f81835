# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Runs one job of a person's environment in a session of its own, ends all of that session when the job has ended, when
# its time is over or when nobody waits for it any longer, and then prints what it left. Above this text: sortie_token,
# sortie_limit (seconds), sortie_shell, sortie_job (the text of the job) and write_programs, which puts its Python files
# into the working folder.
#
# The job gets its folder as $1: `stage` is what it has come to, `parts/` holds files of its own that are printed, too.

sortie_main() {
  sortie_place=$(mktemp -d "${TMPDIR:-/tmp}/sortie-inside.XXXXXX") || exit
  sortie_pid=''
  trap sortie_clean EXIT
  trap 'exit 143' HUP INT TERM
  mkdir "$sortie_place/programs" "$sortie_place/parts" "$sortie_place/work" || exit
  (cd "$sortie_place/programs" && write_programs) || exit
  printf '%s\n' "$sortie_job" >"$sortie_place/job.sh" || exit
  sortie_start "$sortie_shell" "$sortie_place/job.sh" "$sortie_place" </dev/null \
    >"$sortie_place/stdout" 2>"$sortie_place/stderr" &
  sortie_pid=$!
  # Only from here on, since the job would inherit it: a reader who is gone is told by a write that fails.
  trap '' PIPE
  sortie_wait
  sortie_kill
  wait "$sortie_pid" 2>/dev/null
  sortie_code=$?
  sortie_pid=''
  sortie_report
}

# In a new session, so that the number of the process is that of its group as well.
sortie_start() {
  if command -v setsid >/dev/null 2>&1; then
    exec setsid "$@"
  fi
  exec perl -e 'use POSIX; setsid(); exec @ARGV or die' -- "$@"
}

# Until it ends, or sortie_state says why it must.
sortie_wait() {
  sortie_state=ended sortie_looks=0 sortie_until=$(($(date +%s) + sortie_limit))
  while kill -0 "$sortie_pid" 2>/dev/null; do
    sortie_looks=$((sortie_looks + 1))
    if [ "$(date +%s)" -ge "$sortie_until" ]; then
      sortie_state=timed_out
    elif [ $((sortie_looks % 10)) -eq 0 ] && ! sortie_check; then
      sortie_state=too_long
    fi
    [ "$sortie_state" = ended ] || return 0
    if [ "$sortie_looks" -lt 50 ]; then sleep 0.1 2>/dev/null || sleep 1; else sleep 1; fi
  done
}

# A newline now and then keeps the connection, and finds out whether it is still there. 64 MB of output are no test's.
sortie_check() {
  printf '\n' 2>/dev/null || exit 141
  [ "$(cat "$sortie_place/stdout" "$sortie_place/stderr" | wc -c)" -lt 64000000 ]
}

sortie_kill() {
  [ -z "$sortie_pid" ] || kill -KILL "-$sortie_pid" 2>/dev/null || kill -KILL "$sortie_pid" 2>/dev/null
}

sortie_clean() {
  sortie_kill
  rm -rf "$sortie_place"
}

# Each part between newlines of ours, which are no part of it; the ends of long ones.
sortie_report() {
  printf '\n@%s state %s\n' "$sortie_token" "$sortie_state"
  printf '\n@%s exit %s\n' "$sortie_token" "$sortie_code"
  for sortie_file in "$sortie_place/stage" "$sortie_place/stdout" "$sortie_place/stderr" "$sortie_place/parts"/*; do
    [ -f "$sortie_file" ] || continue
    printf '\n@%s file %s\n' "$sortie_token" "${sortie_file##*/}"
    tail -c 65536 "$sortie_file"
  done
  printf '\n@%s end\n' "$sortie_token"
}

sortie_main
