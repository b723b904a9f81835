# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Lists what a run has made, and when it and its neighbours ran. Records end with a NUL, since a name may hold anything:
# `home PATH`, `span START END`, `file BYTES CHANGED STATUS_CHANGED PATH`. Above this text: sortie_token, sortie_folder
# (the run's), sortie_record (its first `pid`). Below it, calls `span PID EXIT` and `list_below PATH`.

begin() {
  printf 'begin=%s\nhome %s\0' "$sortie_token" "$HOME"
  sortie_since=$(time_of "$sortie_record")
  sortie_since=${sortie_since%%.*}
  # Some file systems keep whole seconds only, or every second one: who asked sorts out the rest.
  [ "$sortie_since" = - ] || sortie_since=$((sortie_since - 3))
  sortie_find=''
  find / -maxdepth 0 -newermt @0 -printf '' 2>/dev/null && sortie_find=gnu
}

# Seconds of the time of day, with parts where the host tells them; `-` where there is no such file.
time_of() {
  stat -L -c %.9Y -- "$1" 2>/dev/null || stat -L -f %Fm -- "$1" 2>/dev/null || echo -
}

span() {
  printf 'span %s %s\0' "$(time_of "$1")" "$(time_of "$2")"
}

# What the path names is followed where it is a link; links below it count when they lead to a file inside.
list_below() {
  [ "$sortie_since" != - ] && cd -- "$sortie_folder" 2>/dev/null || return 0
  sortie_start=$1
  sortie_inside=$(pwd -P)
  sortie_inside_start=$(cd -- "$1" 2>/dev/null && pwd -P) || sortie_inside_start=$sortie_inside
  export sortie_record sortie_start sortie_inside sortie_inside_start
  if [ -n "$sortie_find" ]; then
    find -H "$1" -name .git -prune -o \
      -type f \( -newermt "@$sortie_since" -o -newerct "@$sortie_since" \) -printf 'file %s %T@ %C@ %p\0' -o \
      -type l -exec sh -c "$sortie_print_each" sh {} + 2>/dev/null
  else
    find -H "$1" -name .git -prune -o \( -type f -o -type l \) -exec sh -c "$sortie_print_each" sh {} + 2>/dev/null
  fi
  return 0
}

# A program of its own, for `find`. The cheap questions come first: there may be many links to old data.
# shellcheck disable=SC2016 # it is the inner shell that reads them
sortie_print_each='
for sortie_file do
  [ -f "$sortie_file" ] || continue
  [ "$sortie_record" -nt "$sortie_file" ] && continue
  if [ -L "$sortie_file" ] && [ "$sortie_file" != "$sortie_start" ]; then
    sortie_real=$(readlink -f -- "$sortie_file") || continue
    case $sortie_real in "$sortie_inside"/* | "$sortie_inside_start"/*) ;; *) continue ;; esac
  fi
  sortie_facts=$(stat -L -c "%s %.9Y %.9Z" -- "$sortie_file" 2>/dev/null || stat -L -f "%z %Fm %Fc" -- "$sortie_file") || continue
  printf "file %s %s\0" "$sortie_facts" "$sortie_file"
done'
