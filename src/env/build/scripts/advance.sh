# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# One look at a build: uses what is ready, else joins the builder or starts one, follows the log for a moment, and tells
# the state. It ends by itself, so that a connection that breaks costs no more than one look. Above this text: builds.sh,
# claim.sh, point.sh and their settings, sortie_token, sortie_word (the caller's own), sortie_left (the number of a build
# that others have left, or empty), sortie_build (the number that is followed, or empty), sortie_from (bytes of its log that
# the caller has), sortie_follow_ds (tenths of a second), sortie_folder (the project), sortie_builder_text.

advance() {
  printf 'begin=%s\n' "$sortie_token"
  sortie_state='' sortie_range=''
  if [ -n "$sortie_build" ] && find_envs; then
    follow
  elif prepare; then
    if join_build && [ -z "$sortie_state" ]; then follow; fi
  fi
  say state "${sortie_state:-unable}"
  printf 'end=%s\n' "$sortie_token"
  print_log
}

refuse() {
  say fault "$1"
  say detail "$2"
  return 1
}

# Everything that keeps a build from beginning is told before it begins.
prepare() {
  if find_envs && find_ready; then
    use_ready
    return
  fi
  for sortie_tool_needed in flock setsid timeout; do
    command -v $sortie_tool_needed >/dev/null 2>&1 || { refuse tool_missing $sortie_tool_needed; return; }
  done
  case $sortie_envs in *[[:cntrl:]]*) refuse path_odd "$(printf '%s' "$sortie_envs" | tr '[:cntrl:]' '?')"; return ;; esac
  [ -d "$sortie_folder" ] || { refuse folder_missing "$sortie_folder"; return; }
  sortie_said=$(make_room 2>&1) || sortie_said=${sortie_said:-it cannot be written to}
  rm -f "$sortie_envs/.room.$$" 2>/dev/null
  [ -z "$sortie_said" ] || { refuse unwritable "$(printf '%s' "$sortie_said" | tr '\n' ' ')"; return; }
  find_envs || return
  (umask 077 && : >>"$sortie_lock")
  sortie_said=$({ flock -n -s 9; } 9<"$sortie_lock" 2>&1)
  # 1: somebody holds it. Anything else: this file system keeps no locks.
  [ $? -le 1 ] || refuse no_locks "$sortie_envs: $(printf '%s' "$sortie_said" | tr '\n' ' ')"
}

# In a shell of its own: what goes wrong is told in words that are known. Some logs and records may name what is private.
make_room() (
  LC_ALL=C
  export LC_ALL
  mkdir -p "$sortie_envs" && cd "$sortie_envs" && umask 077 && mkdir -p logs records && head -c 16384 /dev/zero >".room.$$"
)

use_ready() {
  sortie_state=ready
  point 2>/dev/null
  say ready "$(cat "$sortie_ready/ready.json")"
}

# Until it is known which build to follow: one of this caller, that of whoever holds the lock, or a new one. Fifteen seconds
# at most.
join_build() {
  [ -z "$sortie_state" ] || return 0
  sortie_started='' sortie_rounds=150
  while [ $sortie_rounds -gt 0 ]; do
    read_claim
    if [ "$sortie_claimant" = "$sortie_word" ] && [ "$sortie_claimed" != "$sortie_left" ]; then break; fi
    # What was claimed since our builder was started is ours, or of one that was quicker; it may have ended already.
    if [ -n "$sortie_started" ] && [ -n "$sortie_claimed" ] && [ "$sortie_claimant" != "$sortie_seen" ]; then break; fi
    if is_building; then
      if is_builder_dead; then
        # Its steps outlived it.
        end_steps "$sortie_claimant"
      elif [ -n "$sortie_claimed" ] && [ ! -e "$sortie_envs/logs/$sortie_key-$sortie_claimed.exit" ]; then
        break
      fi
    elif find_ready; then
      use_ready
      return
    elif [ -z "$sortie_started" ]; then
      sortie_started=yes sortie_seen=$sortie_claimant
      start_builder
    fi
    sleep 0.1 2>/dev/null || sleep 1
    sortie_rounds=$((sortie_rounds - 1))
  done
  [ $sortie_rounds -gt 0 ] || { refuse no_builder "$sortie_lock"; return; }
  sortie_build=$sortie_claimed
}

# It reads its text from a pipe that ends at once, and holds nothing that is ours.
start_builder() {
  (
    # What is built from inside a run is no part of that run, and does not end with it.
    unset SORTIE_RUN_ID SORTIE_RUN_NAME SORTIE_RUN_DIR SORTIE_RESULTS_DIR SORTIE_ATTEMPT SORTIE_AGENT_ID SORTIE_RUN_GPUS STY WINDOW
    printf '%s\n' "$sortie_builder_text" | setsid sh -s "$sortie_word" "$sortie_seen" >/dev/null 2>&1 &
  )
}

# Waits until the log has grown or the build has ended, and then a second for more.
follow() {
  sortie_log=$sortie_envs/logs/$sortie_key-$sortie_build.log
  sortie_exit=$sortie_envs/logs/$sortie_key-$sortie_build.exit
  sortie_waited=0
  while [ $sortie_waited -lt "$sortie_follow_ds" ] && [ ! -e "$sortie_exit" ]; do
    read_size
    if [ $sortie_waited -ge 10 ] && [ "$sortie_size" -gt "$sortie_from" ]; then break; fi
    if [ $((sortie_waited % 10)) -eq 0 ] && ! is_building; then break; fi
    sleep 0.2 2>/dev/null || sleep 1
    sortie_waited=$((sortie_waited + 2))
  done
  judge_build
  say build "$sortie_build"
  say log "$sortie_log"
  if [ "$sortie_claimant" = "$sortie_word" ] && [ "$sortie_claimed" = "$sortie_build" ]; then say ours yes; fi
  read_size
  sortie_range=yes
}

judge_build() {
  read_claim
  sortie_state=killed
  if [ ! -e "$sortie_exit" ] && is_building; then
    # The lock of another build says nothing about this one.
    case $sortie_claimed in
      "$sortie_build") if is_builder_dead; then end_steps "$sortie_claimant"; else sortie_state=building; fi ;;
      '') sortie_state=building ;;
    esac
  fi
  [ -e "$sortie_exit" ] || return 0
  if grep -q '^code=0$' "$sortie_exit" && find_ready; then
    use_ready
  else
    sortie_state=ended
    sed -n '/=/p' "$sortie_exit"
  fi
}

read_size() {
  sortie_size=$(wc -c 2>/dev/null <"$sortie_log") || sortie_size=0
  sortie_size=$((sortie_size))
}

# The bytes that the caller does not have, behind how many are left for the next look, and how many these are.
print_log() {
  [ -n "$sortie_range" ] || return 0
  sortie_count=$((sortie_size - sortie_from))
  [ $sortie_count -le 262144 ] || sortie_count=262144
  [ $sortie_count -ge 0 ] || sortie_count=0
  printf 'log=%s %s %s\n' "$sortie_token" $((sortie_size - sortie_from - sortie_count)) $sortie_count
  [ $sortie_count -eq 0 ] || tail -c "+$((sortie_from + 1))" "$sortie_log" | head -c $sortie_count
}
