# shellcheck shell=sh disable=SC2154,SC2034 # the settings, names that begin with sortie_, stand above this text
# Who builds: its builder writes that into the lock once it holds it. A number of a process alone would not do, since a
# later process may have it: a builder is known by the word that it bears as an argument, what it has started by the
# same word in its environment.

# Where a number of a process means something.
read_place() {
  sortie_place="$(uname -n) $(cat /proc/sys/kernel/random/boot_id 2>/dev/null) $(readlink /proc/self/ns/pid 2>/dev/null)"
}

# Sets what the lock says: sortie_claimed (its number, or empty), sortie_claimant (its word), sortie_builder. It is read in
# one go: line by line, half of it could be an older claim.
read_claim() {
  sortie_claimed='' sortie_claimant='' sortie_builder='' sortie_claim_place=''
  while IFS='=' read -r sortie_field sortie_value; do
    case $sortie_field in
      build) sortie_claimed=$sortie_value ;;
      word) sortie_claimant=$sortie_value ;;
      process) sortie_builder=$sortie_value ;;
      place) sortie_claim_place=$sortie_value ;;
    esac
  done <<CLAIM
$(cat "$sortie_lock" 2>/dev/null)
CLAIM
  case $sortie_claimed in *[!0-9]*) sortie_claimed='' ;; esac
}

# Whether it is known that the builder of the claim is dead. Of one on another machine nothing is known.
is_builder_dead() {
  read_place
  [ "$sortie_claim_place" = "$sortie_place" ] && [ -n "$sortie_claimant" ] && ! is_builder_alive
}

is_builder_alive() {
  tr '\0' '\n' 2>/dev/null <"/proc/$sortie_builder/cmdline" | grep -qxF "$sortie_claimant"
}

# Ends all that the builder with this word has started, until nothing of it is left; ten seconds at most. Its variables
# are its own: whoever calls it counts rounds, too.
end_steps() {
  sortie_kills=100
  while [ $sortie_kills -gt 0 ]; do
    sortie_alive=$(grep -lzxsF "SORTIE_BUILD=$1" /proc/[0-9]*/environ | cut -d/ -f3)
    [ -n "$sortie_alive" ] || return 0
    # shellcheck disable=SC2086 # numbers, one a word
    kill -KILL $sortie_alive 2>/dev/null
    sleep 0.1 2>/dev/null || sleep 1
    sortie_kills=$((sortie_kills - 1))
  done
  return 1
}

# Only what was built by us and never finished; what a package has closed to us is opened first.
remove_build() {
  case $1 in "$sortie_envs/$sortie_key"-*) ;; *) return 1 ;; esac
  if [ -L "$1" ] || [ ! -d "$1" ] || [ -e "$1/ready.json" ]; then return 1; fi
  rm -rf "$1" 2>/dev/null || { chmod -R u+rwx "$1" 2>/dev/null; rm -rf "$1"; }
}

# How build $1 ended: lines that are read from its file. Room for it is taken beforehand, where the disk may be full.
write_exit() {
  sortie_exit=$sortie_envs/logs/$sortie_key-$1.exit
  shift
  printf '%s\n' "$@" "ended_at=$(date -u +%Y-%m-%dT%H:%M:%SZ)" 1<>"$sortie_exit.new" && mv -f "$sortie_exit.new" "$sortie_exit"
}
