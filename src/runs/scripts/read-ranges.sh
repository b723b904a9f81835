# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Ranges of files, their bytes as they are: `part=TOKEN SIZE FROM`, the bytes, and a line feed. Above this text:
# sortie_token. Below it, calls `read_range PATH FROM MOST BEHIND KEEP`.

# A file that has more than BEHIND bytes past FROM is read from its last KEEP bytes on. One that is not there has the size `-`.
read_range() {
  sortie_size=$(stat -L -c %s -- "$1" 2>/dev/null || stat -L -f %z -- "$1" 2>/dev/null || echo -)
  sortie_from=$2
  if [ "$sortie_size" != - ] && [ $((sortie_size - sortie_from)) -gt "$4" ]; then
    sortie_from=$((sortie_size - $5))
  fi
  printf 'part=%s %s %s\n' "$sortie_token" "$sortie_size" "$sortie_from"
  # `dd` goes to its block at once; some a `tail` reads all that is before.
  [ "$sortie_size" = - ] || [ "$sortie_size" -le "$sortie_from" ] ||
    dd if="$1" bs=65536 skip=$((sortie_from / 65536)) count=$(($3 / 65536 + 2)) 2>/dev/null |
    tail -c "+$((sortie_from % 65536 + 1))" | head -c "$3"
  echo
}
