# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# What nvidia-smi says, within ten seconds, or sortie_cards_s. A process that hangs in the driver cannot be killed and would
# keep a pipe open, so that it answers into a folder, and nobody waits for it longer. Nor does it get the lock of a build
# (9), which it would hold for as long.

# ask_nvidia ARGUMENT…: prints its answer; fails where there is none.
ask_nvidia() {
  sortie_smi=$(PATH="$PATH:/usr/lib/wsl/lib" && command -v nvidia-smi) || return 1
  sortie_answer=$(make_answer_folder) || return 1
  sortie_limit_s=${sortie_cards_s:-10}
  {
    limit_time "$sortie_limit_s" "$sortie_smi" "$@" >"$sortie_answer/out"
    echo $? >"$sortie_answer/code"
  } </dev/null >/dev/null 2>&1 9>&- &
  sortie_rounds=$((sortie_limit_s * 20 + 20))
  while [ ! -s "$sortie_answer/code" ] && [ $sortie_rounds -gt 0 ]; do
    sleep 0.05 2>/dev/null || sleep 1
    sortie_rounds=$((sortie_rounds - 1))
  done
  sortie_code=$(cat "$sortie_answer/code" 2>/dev/null)
  [ "$sortie_code" != 0 ] || cat "$sortie_answer/out"
  rm -rf "$sortie_answer"
  [ "$sortie_code" = 0 ]
}

make_answer_folder() {
  for sortie_place in /dev/shm "${TMPDIR:-/tmp}" /tmp "$HOME"; do
    (umask 077 && mktemp -d "$sortie_place/sortie-cards-XXXXXX") 2>/dev/null && return
  done
  return 1
}

limit_time() {
  if command -v timeout >/dev/null 2>&1; then
    timeout -s KILL "$@"
  else
    shift
    "$@"
  fi
}

# A line a card: UUID, driver, model, with `, ` between them.
ask_cards() {
  ask_nvidia --query-gpu=uuid,driver_version,name --format=csv,noheader
}

# The CUDA that the driver serves, as the head of its table has it.
ask_cuda() {
  ask_nvidia | sed -n 's/.*CUDA Version: *\([0-9][0-9.]*\).*/\1/p' | head -n 1
}
