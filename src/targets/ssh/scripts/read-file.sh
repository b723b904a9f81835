# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# The size of a file and ranges of it. Above this text: sortie_file and sortie_token. A file that is not there is empty.

tell_size() {
  echo "begin=$sortie_token"
  # `wc` reads the whole file on some hosts.
  [ ! -e "$sortie_file" ] || echo "size=$(stat -L -c %s "$sortie_file" 2>/dev/null || stat -L -f %z "$sortie_file" 2>/dev/null || wc -c <"$sortie_file")"
  echo "end=$sortie_token"
}

# print_range FIRST COUNT: bytes are counted from 1.
print_range() {
  echo "begin=$sortie_token"
  tail -c "+$1" "$sortie_file" 2>/dev/null | head -c "$2"
  printf '\nend=%s\n' "$sortie_token"
}
