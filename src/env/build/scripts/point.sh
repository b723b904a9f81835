# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Lets the name point to $sortie_ready, by a link that takes the place of the old one in one step. Something else of that
# name stays as it is: the environment is found without it, too.

point() {
  sortie_target=${sortie_ready##*/}
  [ "$(readlink "$sortie_envs/$sortie_name" 2>/dev/null)" != "$sortie_target" ] || return 0
  if [ -e "$sortie_envs/$sortie_name" ] && [ ! -L "$sortie_envs/$sortie_name" ]; then
    echo "sortie: $sortie_envs/$sortie_name is no link, and stays as it is" >&2
    return 1
  fi
  sortie_link=$sortie_envs/.$sortie_name.$$
  rm -f "$sortie_link"
  ln -s "$sortie_target" "$sortie_link" &&
    { mv -Tf "$sortie_link" "$sortie_envs/$sortie_name" 2>/dev/null ||
      "$sortie_ready/bin/python" -c 'import os, sys; os.replace(sys.argv[1], sys.argv[2])' "$sortie_link" "$sortie_envs/$sortie_name"; }
}
