# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Puts one line where the guard looks, whole or not at all. A folder that is not there has nobody who would read it.
# Above this text: sortie_mark_dir, sortie_mark, sortie_mark_text, sortie_token.

main() {
  echo "begin=$sortie_token"
  umask 077
  cd "$sortie_mark_dir" 2>/dev/null &&
    printf '%s\n' "$sortie_mark_text" >"$sortie_mark.$$" && mv -f "$sortie_mark.$$" "$sortie_mark" && echo "marked=yes"
  echo "end=$sortie_token"
}

main
