# shellcheck shell=sh disable=SC2154,SC2094 # the settings, names that begin with sortie_, stand above this text
# Adds lines to the records of one environment, under their own lock where there is one. Above this text: the settings of
# builds.sh, sortie_token, sortie_lines.

append_records() {
  printf 'begin=%s\n' "$sortie_token"
  if sortie_said=$({ mkdir -p "$sortie_envs" && (umask 077 && mkdir -p "$sortie_envs/records" && append_lines); } 2>&1); then
    echo appended=yes
  else
    printf 'fault=%s\n' "$(printf '%s' "$sortie_said" | tr '\n' ' ')"
  fi
  printf 'end=%s\n' "$sortie_token"
}

# A line that was cut when the disk was full is ended first, and what was cut now is taken back.
append_lines() {
  sortie_records=$sortie_envs/records/$sortie_name-$sortie_hash.jsonl
  (
    ! command -v flock >/dev/null 2>&1 || flock -w 10 9 || exit 1
    sortie_size=$(wc -c <"$sortie_records")
    [ -z "$(tail -c 1 "$sortie_records")" ] || echo >&9
    printf '%s\n' "$sortie_lines" >&9 && exit
    dd if=/dev/null of="$sortie_records" bs=1 seek=$((sortie_size)) 2>/dev/null
    exit 1
  ) 9>>"$sortie_records"
}
