# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# What a host has for W&B: its package in the environment of a run, a login, and whether the server answers. Above this
# text: sortie_token, sortie_python (the environment's interpreter, or empty), sortie_project (folders, a line each, whose
# programs are not run), sortie_url (the server), sortie_machine (as netrc names it), sortie_direct (yes: no proxy), and
# sortie_key (yes: a key comes along). No key is told, and none is an argument.

tell_wandb() {
  printf 'begin=%s\n' "$sortie_token"
  printf 'version=%s\n' "$(find_wandb)"
  sortie_login=$(find_login)
  printf 'login=%s\n' "$sortie_login"
  # Without a key nothing would be sent to it.
  [ -z "$sortie_login$sortie_key" ] || printf 'answers=%s\n' "$(ask_server)"
  printf 'end=%s\n' "$sortie_token"
}

# Python's own list of packages, without any file of the working folder; a project's interpreter is looked at, never run.
find_wandb() {
  [ -n "$sortie_python" ] || return 0
  if ! is_in_project; then
    (cd / && "$sortie_python" -I -B -c "$sortie_search" 2>/dev/null </dev/null) && return
  fi
  for sortie_path in "${sortie_python%/*}"/../lib*/python3*/site-packages/wandb-*.dist-info; do
    [ -f "$sortie_path/METADATA" ] || continue
    sortie_path=${sortie_path##*/wandb-}
    printf '%s' "${sortie_path%.dist-info}"
    return
  done
}

sortie_search='
import os, site, sys
from importlib import metadata
paths = os.environ.get("PYTHONPATH", "").split(os.pathsep) + sys.path
if sys.prefix == sys.base_prefix:
    paths.append(site.getusersitepackages())
found = list(metadata.distributions(name="wandb", path=[path for path in paths if path]))
print(found[0].version if found else "")'

is_in_project() {
  sortie_real=$(cd "${sortie_python%/*}" 2>/dev/null && pwd -P)
  while IFS= read -r sortie_folder; do
    [ -n "$sortie_folder" ] || continue
    case $sortie_python in "$sortie_folder"/*) return 0 ;; esac
    case $sortie_real/ in "$sortie_folder"/*) return 0 ;; esac
  done <<PROJECT
$sortie_project
PROJECT
  return 1
}

# As W&B looks for it: the variable, then the entry of the server in netrc.
find_login() {
  if [ -n "${WANDB_API_KEY:-}${WANDB_IDENTITY_TOKEN_FILE:-}" ]; then
    printf environment
    return
  fi
  sortie_netrc=${NETRC:-}
  for sortie_path in "$HOME/.netrc" "$HOME/_netrc"; do
    [ -n "$sortie_netrc" ] || [ ! -f "$sortie_path" ] || sortie_netrc=$sortie_path
  done
  [ -r "${sortie_netrc:-/}" ] && [ -f "$sortie_netrc" ] || return 0
  awk -v machine="$sortie_machine" '
    {
      for (at = 1; at <= NF; at++) {
        word = $at
        if (substr(word, 1, 1) == "#") break
        if (last == "machine") meant = (word == machine)
        else if (last == "password" && meant && word != "") { found = 1; exit }
        else if (word == "default") meant = 1
        last = (last == "machine" || last == "password" || last == "login") ? "" : word
      }
    }
    END { if (found) printf "netrc" }' "$sortie_netrc"
}

# Whatever it answers, it is there.
ask_server() {
  if command -v curl >/dev/null 2>&1; then
    set -- -s -o /dev/null --connect-timeout 5 --max-time 8 "$sortie_url"
    [ -z "$sortie_direct" ] || set -- --noproxy '*' "$@"
    curl "$@" </dev/null >/dev/null 2>&1 && printf yes || printf no
  elif command -v python3 >/dev/null 2>&1; then
    (cd / && python3 -I -c "$sortie_dial" "$sortie_url" "$sortie_direct" 2>/dev/null </dev/null) || printf no
  else
    printf unknown
  fi
}

sortie_dial='
import sys, urllib.error, urllib.request
proxies = urllib.request.ProxyHandler({} if sys.argv[2] else None)
try:
    urllib.request.build_opener(proxies).open(sys.argv[1], timeout=8).close()
    print("yes")
except urllib.error.HTTPError:
    print("yes")'
