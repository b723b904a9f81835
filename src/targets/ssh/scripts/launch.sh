# shellcheck shell=sh disable=SC2034,SC2154 # the settings, names that begin with sortie_, stand above this text
# Makes the job folder of a run and starts it, so that the same again does no harm: a run that is on record already is
# only told about. Above this text: sortie_job_folder, sortie_attempt, sortie_token, the functions about processes, and
# put_files, which calls put_file for each file.

sortie_files=$sortie_job_folder
[ "$sortie_attempt" -gt 1 ] && sortie_files=$sortie_job_folder/attempts/$sortie_attempt

make_folder() {
  sortie_words=$(umask 077 && mkdir -p "$sortie_job_folder" 2>&1) || refuse_unwritable "$sortie_words"
}

# One at a time: a launch that is sent again, since its connection was lost, waits for the one that is under way.
take_turn() {
  sortie_turn=$sortie_job_folder/launching
  sortie_own_start=$(start_of $$)
  read_clock
  sortie_until_cs=$((sortie_now_cs + 12000))
  until
    sortie_words=$( (umask 077 && printf '%s %s\n' "$$" "$sortie_own_start" >"$sortie_turn.$$") 2>&1) ||
      refuse_unwritable "$sortie_words"
    put_once "$sortie_turn.$$" "$sortie_turn"
  do
    { read -r sortie_holder sortie_holder_start <"$sortie_turn"; } 2>/dev/null &&
      ! is_same "$sortie_holder" "$sortie_holder_start" && rm -f "$sortie_turn"
    read_clock
    [ "$sortie_now_cs" -lt "$sortie_until_cs" ] || refuse busy "another launch of this run is under way"
    sleep 0.1 2>/dev/null || sleep 1
  done
  trap 'rm -f "$sortie_turn"' EXIT
}

# put_file NAME BYTES TEXT: whole or not at all, and for its owner alone. In put_bytes, backslashes and what is no text
# are written as octal numbers.
put_file() {
  put '%s' "$@"
}

put_bytes() {
  put '%b' "$@"
}

put() {
  sortie_form=$1
  shift
  sortie_new=$sortie_job_folder/$1.new
  # shellcheck disable=SC2059 # one of two forms
  sortie_words=$( (umask 077 && printf "$sortie_form" "$3" >"$sortie_new") 2>&1) && [ "$(wc -c <"$sortie_new")" -eq "$2" ] &&
    mv -f "$sortie_new" "$sortie_job_folder/$1" && return
  rm -f "$sortie_new"
  refuse_unwritable "${sortie_words:-only a part of $1 could be written}"
}

# Whether the code lies in a folder as it was sent; its faults are told.
check_code() {
  sortie_check_sent "$1" "$sortie_job_folder/sent" || refuse code ''
  rm -f "$sortie_job_folder/sent"
}

# freeze_code FOLDER NAME...: makes the run's own copy, whole or not at all; the names are not linked into it.
freeze_code() {
  sortie_folder=$1
  shift
  sortie_words=$(
    rm -rf "$sortie_job_folder/code.new"
    sortie_freeze_code "$sortie_folder" "$sortie_job_folder/list" "$sortie_job_folder/code.new" "$@" 2>&1 &&
      mv "$sortie_job_folder/code.new" "$sortie_job_folder/code" 2>&1
  ) || { rm -rf "$sortie_job_folder/code.new"; refuse_unwritable "$sortie_words"; }
  rm -f "$sortie_job_folder/list"
}

# On a full disk a shell says no more than "I/O error": what is free is told as well.
refuse_unwritable() {
  sortie_kib=$(df -Pk "${sortie_job_folder%/*}" 2>/dev/null | awk 'NR == 2 { print $4 }')
  sortie_inodes=$(df -Pi "${sortie_job_folder%/*}" 2>/dev/null | awk 'NR == 2 && $2 ~ /^[1-9]/ { print $4 }')
  refuse unwritable "$1 (free there: ${sortie_kib:-?} KiB${sortie_inodes:+, and room for $sortie_inodes more files})"
}

refuse() {
  echo "refused=$1"
  printf 'words=%s\n' "$(printf '%s' "$2" | tr '\n' ' ')"
  echo "end=$sortie_token"
  exit 1
}

# The text of the start goes to a shell of its own, in a scope that outlives the login where the host asks for that.
start() {
  read_logout
  if [ "$sortie_kills" = scope ]; then
    printf '%s' "$1" | XDG_RUNTIME_DIR=$sortie_runtime systemd-run --user --scope --quiet -- sh -s && return
  fi
  printf '%s' "$1" | sh -s
}
