# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Runs one documented command as a reader would who has nothing but the code: in a fresh folder with a copy of it, in a
# clean environment, in a session of its own. Above this text: sortie_token, sortie_code (its folder), sortie_listed (yes,
# or empty: all but .git), list_files (a function that prints the paths to copy, each with a zero byte behind it),
# sortie_enter (lines that enter the environment) and sortie_enter_shell, sortie_text (the command) and sortie_shell,
# sortie_expected (files that it makes, a line each) and sortie_limit_s. The output follows the answer.

# What a command may print before it is stopped, and how much of its beginning and of its end are told.
sortie_most_bytes=67108864
sortie_told_bytes=4194304

main() {
  sortie_top='' sortie_leader=''
  trap clean_up EXIT
  trap 'exit 143' HUP INT PIPE TERM
  sortie_top=$(make_folder) || give_up "no folder can be made in ${TMPDIR:-/tmp}"
  mkdir "$sortie_top/work" "$sortie_top/tmp" || give_up "$sortie_top takes no folder"
  copy_code 2>"$sortie_top/copy.log" || give_up "the code cannot be copied: $(tail -n 1 "$sortie_top/copy.log")"
  each_expected make_old
  printf '%s' "$sortie_text" >"$sortie_top/command"
  write_enter >"$sortie_top/enter" || give_up "$sortie_top cannot be written"
  touch -t 200101010000 "$sortie_top/mark"
  sortie_started=$(date +%s)
  start_command
  wait_for_command
  # What others of its group print when they are ended is none of its output.
  sortie_size=$(($(wc -c <"$sortie_top/output")))
  end_command
  tell
}

# Physical, so that what lies in it can be told from what links lead to.
make_folder() {
  sortie_made=$(mktemp -d "${TMPDIR:-/tmp}/sortie-document.XXXXXX") && cd -P "$sortie_made" && pwd -P
}

clean_up() {
  trap '' HUP INT PIPE TERM
  end_command
  cd / && [ -n "$sortie_top" ] || return
  rm -rf "$sortie_top" 2>/dev/null && return
  # A command may leave folders that nobody may write.
  chmod -R u+rwX "$sortie_top" 2>/dev/null
  rm -rf "$sortie_top"
}

give_up() {
  say begin "$sortie_token"
  say fault "$1"
  say end "$sortie_token"
  exit 0
}

say() {
  printf '%s=%s\n' "$1" "$2"
}

copy_code() {
  case $sortie_code in [~]/*) sortie_code=$HOME/${sortie_code#??} ;; esac
  cd "$sortie_code" || return
  export sortie_top
  # shellcheck disable=SC2016 # it is expanded by the shells that xargs starts
  if [ -n "$sortie_listed" ]; then list_files; else list_all; fi |
    xargs -0 sh -c '
      for sortie_path do
        shift
        if [ -e "$sortie_path" ] || [ -L "$sortie_path" ]; then set -- "$@" "$sortie_path"; fi
      done
      [ $# -gt 0 ] || exit 0
      # 1: a file changed while it was read.
      { tar -cf - -- "$@" || [ $? -eq 1 ] || : >"$sortie_top/torn"; } | tar -xof - -C "$sortie_top/work"
    ' sh && [ ! -e "$sortie_top/torn" ]
}

list_all() {
  for sortie_path in .[!.]* ..?* *; do
    case $sortie_path in .git) continue ;; esac
    printf '%s\000' "$sortie_path"
  done
}

# Calls $1 with each expected file's path and its number.
each_expected() {
  sortie_number=0
  while IFS= read -r sortie_path; do
    [ -n "$sortie_path" ] || continue
    case $sortie_path in
      [~]/*) "$1" "$HOME/${sortie_path#??}" "$sortie_number" ;;
      /*) "$1" "$sortie_path" "$sortie_number" ;;
      *) "$1" "$sortie_top/work/$sortie_path" "$sortie_number" ;;
    esac
    sortie_number=$((sortie_number + 1))
  done <<EXPECTED
$sortie_expected
EXPECTED
}

# A file of the copy that the command shall make is there already: its age tells whether the command wrote it.
make_old() {
  is_copied_file "$1" && touch -t 200001010000 "$1"
}

is_copied_file() {
  [ -f "$1" ] && [ ! -L "$1" ] || return 1
  case $(cd -P "${1%/*}/" && pwd -P)/ in "$sortie_top/work"/*) ;; *) return 1 ;; esac
}

write_enter() {
  sortie_quoted=$(quote "$sortie_top")
  printf 'echo $$ >%s/leader\ncd %s/work || exit\nunset OLDPWD\n' "$sortie_quoted" "$sortie_quoted"
  printf '%s\n' "$sortie_enter"
  printf ': >%s/entered\nexec %s %s/command\n' "$sortie_quoted" "$sortie_shell" "$sortie_quoted"
}

quote() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

start_command() {
  : >"$sortie_top/output"
  {
    new_session env -i HOME="$HOME" PATH="$PATH" LANG="${LANG:-C.UTF-8}" USER="${USER:-$(id -un)}" \
      SHELL="${SHELL:-/bin/sh}" TMPDIR="$sortie_top/tmp" "$sortie_enter_shell" "$sortie_top/enter" \
      >"$sortie_top/output" 2>&1
    echo $? >"$sortie_top/exit.new" && mv "$sortie_top/exit.new" "$sortie_top/exit"
  } </dev/null >/dev/null 2>&1 &
}

new_session() {
  if command -v setsid >/dev/null 2>&1; then
    setsid "$@"
  else
    perl -e 'use POSIX; setsid(); exec @ARGV or die' -- "$@"
  fi
}

# Says each second that it lives: where nobody hears it any more, the trap ends all.
wait_for_command() {
  sortie_ended='' sortie_second=$sortie_started
  until [ -e "$sortie_top/exit" ]; do
    sleep 0.1 2>/dev/null || sleep 1
    sortie_now=$(date +%s)
    [ "$sortie_now" -ne "$sortie_second" ] || continue
    sortie_second=$sortie_now
    say alive "$sortie_now" || exit 143
    [ $((sortie_now - sortie_started)) -lt "$sortie_limit_s" ] || { sortie_ended=time_limit; return; }
    [ "$(wc -c <"$sortie_top/output")" -lt "$sortie_most_bytes" ] || { sortie_ended=too_much; return; }
  done
}

# All of its group, also what it has left in the background.
end_command() {
  [ -n "$sortie_top" ] && sortie_leader=$(cat "$sortie_top/leader" 2>/dev/null) && [ -n "$sortie_leader" ] || return 0
  kill -TERM "-$sortie_leader" 2>/dev/null || return 0
  for _ in 1 2 3 4 5; do
    sleep 0.1 2>/dev/null || sleep 1
    kill -0 "-$sortie_leader" 2>/dev/null || return 0
  done
  kill -KILL "-$sortie_leader" 2>/dev/null
}

tell() {
  say begin "$sortie_token"
  say seconds $(($(date +%s) - sortie_started))
  [ ! -e "$sortie_top/entered" ] || say entered yes
  if [ -n "$sortie_ended" ]; then say stopped_by "$sortie_ended"; else say exit "$(cat "$sortie_top/exit")"; fi
  each_expected tell_file
  say end "$sortie_token"
  if [ "$sortie_size" -le $((2 * sortie_told_bytes)) ]; then
    head -c "$sortie_size" "$sortie_top/output"
  else
    head -c "$sortie_told_bytes" "$sortie_top/output"
    printf '\n[...]\n'
    head -c "$sortie_size" "$sortie_top/output" | tail -c "$sortie_told_bytes"
  fi
  printf '\nwhole=%s\n' "$sortie_token"
}

tell_file() {
  if [ ! -e "$1" ]; then
    say "file_$2" missing
  elif is_copied_file "$1" && [ -z "$(find "$1" -prune -newer "$sortie_top/mark")" ]; then
    say "file_$2" old
  else
    say "file_$2" there
  fi
}

main
