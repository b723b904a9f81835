# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# What a host has of one environment, and of what an environment depends on: `key=value` lines. Above this text: the
# settings of builds.sh and own.sh, sortie_token, sortie_asks_cards (yes, or empty). Nothing is made or changed.

tell_status() {
  printf 'begin=%s\n' "$sortie_token"
  if find_envs; then
    say envs "$sortie_envs"
    find_ready || { [ -n "$sortie_inputs" ] && sortie_inputs='' && find_ready; } || :
    [ -z "$sortie_ready" ] || say ready "$(cat "$sortie_ready/ready.json")"
    read_pointer
    say pointer "$sortie_pointed"
    ! is_building || say building yes
    tell_records
  else
    say envs "$sortie_envs"
  fi
  say cpus "$(count_cpus)"
  tell_own
  [ -z "$sortie_asks_cards" ] || { say cards asked; ask_cards | sed 's/^/card=/'; }
  printf 'end=%s\n' "$sortie_token"
}

# The newest count; older ones are kept, and not sent.
tell_records() {
  tail -n 500 "$sortie_envs/records/$sortie_key.jsonl" 2>/dev/null | sed 's/^/record=/'
}
