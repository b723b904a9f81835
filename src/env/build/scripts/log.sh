# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# The end of the newest build's log. Above this text: builds.sh and its settings, sortie_token, sortie_most (bytes).

tell_log() {
  printf 'begin=%s\n' "$sortie_token"
  sortie_log=''
  if find_envs; then
    for sortie_number in $(list_builds); do
      sortie_log=$sortie_envs/logs/$sortie_key-$sortie_number.log
      [ ! -f "$sortie_log" ] || break
      sortie_log=''
    done
  fi
  [ -z "$sortie_log" ] || printf 'build=%s\npath=%s\n' "$sortie_number" "$sortie_log"
  printf 'end=%s\n' "$sortie_token"
  [ -z "$sortie_log" ] || tail -c "$sortie_most" "$sortie_log"
}
