# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Ends a build that its own caller calls off, and removes what it has made. Above this text: builds.sh, claim.sh and their
# settings, sortie_token, sortie_word.

stop_build() {
  printf 'begin=%s\n' "$sortie_token"
  find_envs && end_claimed
  printf 'end=%s\n' "$sortie_token"
}

end_claimed() {
  read_claim
  read_place
  if [ "$sortie_claimant" != "$sortie_word" ]; then
    say left "it is another's"
  elif [ "$sortie_claim_place" != "$sortie_place" ]; then
    say left "it goes on at ${sortie_claim_place%% *}"
  else
    ! is_builder_alive || kill -KILL "$sortie_builder"
    end_steps "$sortie_word"
    (flock -w 10 9 && remove_ended) 9<>"$sortie_lock" || say left "something of it still runs"
  fi
}

remove_ended() {
  sortie_prefix=$sortie_envs/$sortie_key-$sortie_claimed
  if [ -e "$sortie_prefix/ready.json" ] || [ -e "$sortie_envs/logs/$sortie_key-$sortie_claimed.exit" ]; then return 0; fi
  [ ! -e "$sortie_prefix" ] || remove_build "$sortie_prefix"
  write_exit "$sortie_claimed" code= reason=stopped
}
