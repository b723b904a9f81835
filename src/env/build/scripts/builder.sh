# shellcheck shell=sh disable=SC2154,SC2034 # the settings, names that begin with sortie_, stand above this text
# Builds one environment, in a session of its own, whoever asked for it and whether or not they still listen. Its
# arguments: its word, and the word of the last builder that its caller has seen. Above this text: builds.sh, claim.sh,
# cards.sh and their settings, sortie_program (the steps), sortie_tool, sortie_limit_s, sortie_version_of_us.

build() {
  sortie_word=$1
  cd / || exit 1
  find_envs || exit 1
  exec 9<>"$sortie_lock" || exit 1
  flock -w 10 9 || exit 1
  # Another was quicker, and has come to its end meanwhile.
  ! find_ready || exit 0
  # Or has begun and failed: whoever started us follows that one.
  read_claim
  [ "$sortie_claimant" = "$2" ] || exit 0
  read_place
  sortie_highest=$(list_builds | head -n 1)
  for sortie_number in $(list_builds); do
    is_left_alone && continue
    remove_build "$sortie_envs/$sortie_key-$sortie_number"
    rm -f "$sortie_envs/logs/$sortie_key-$sortie_number.exit.new"
  done
  take_number
  printf '%s\n' "build=$sortie_next" "word=$sortie_word" "process=$$" "place=$sortie_place" >"$sortie_lock" || exit 1
  exec >>"$sortie_log" 2>&1
  run_steps
  sortie_code=$?
  sortie_step=$(sed -n 's/^sortie: step [0-9]*\/[0-9]*: //p' "$sortie_log" | tail -n 1)
  end_steps "$sortie_word"
  if [ $sortie_code -eq 0 ]; then
    sortie_step=finish
    finish_build
    sortie_code=$?
  fi
  sortie_room=$(df -Pk "$sortie_envs" 2>/dev/null | awk 'NR == 2 { print $4 }')
  if [ $sortie_code -ne 0 ]; then
    remove_build "$sortie_prefix"
  else
    point
  fi
  write_exit "$sortie_next" "code=$sortie_code" "step=$sortie_step" "free_kib=$sortie_room"
}

# A folder that several machines share may keep the locks of each apart: what another one has begun may still go on there.
is_left_alone() {
  [ "$sortie_number" = "$sortie_claimed" ] && [ "${sortie_claim_place%% *}" != "${sortie_place%% *}" ] &&
    [ ! -e "$sortie_envs/logs/$sortie_key-$sortie_number.exit" ]
}

# The next number that nobody has, by a log that is made exclusively. Room for the word on how it ended is taken, too.
take_number() {
  sortie_next=$sortie_highest
  while :; do
    sortie_next=$((${sortie_next:-0} + 1))
    sortie_prefix=$sortie_envs/$sortie_key-$sortie_next
    sortie_log=$sortie_envs/logs/$sortie_key-$sortie_next.log
    if [ -e "$sortie_prefix" ] || [ -L "$sortie_prefix" ]; then continue; fi
    ! (umask 077 && set -C && : >"$sortie_log") 2>/dev/null || break
    [ -e "$sortie_log" ] || exit 1
  done
  (umask 077 && printf '%4096s\n' '' >"$sortie_envs/logs/$sortie_key-$sortie_next.exit.new") || exit 1
}

# In a shell of their own, whose settings and variables are not ours. What a person's shell has entered is not what is
# built, and pip is to install into the environment, nowhere else.
run_steps() (
  unset PYTHONPATH PYTHONHOME VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER
  export PYTHONNOUSERSITE=1 SORTIE_BUILD="$sortie_word"
  printf '%s\n' "sortie_prefix=$(quote_shell "$sortie_prefix")" "$sortie_program" | timeout -k 10 "$sortie_limit_s" sh -s
)

quote_shell() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# Written beside and renamed: who finds it finds a whole environment. What it is made of must be on the disk before.
finish_build() {
  sortie_python=$sortie_prefix/bin/python
  sortie_version=$(version_of "$sortie_python") || { echo "sortie: there is no Python at $sortie_python" >&2; return 1; }
  sync -f "$sortie_prefix" 2>/dev/null
  sortie_cards=$(ask_cards) || sortie_cards=''
  sortie_driver=$(printf '%s\n' "$sortie_cards" | sed -n '1s/^[^,]*, \([^,]*\),.*/\1/p')
  sortie_cuda=''
  [ -z "$sortie_cards" ] || sortie_cuda=$(ask_cuda)
  sortie_gpus=$(printf '%s\n' "$sortie_cards" | sed -n 's/^\(GPU-[A-Za-z0-9-]*\),.*/"\1"/p' | tr '\n' ',')
  printf '{"schema":1,"name":"%s","hash":"%s","inputs":%s,"tool":"%s","prefix":%s,"interpreter":{"path":%s,"version":"%s","packages":null},"driver":%s,"cuda":%s,"gpus":[%s],"builtAt":"%s","sortie":"%s"}\n' \
    "$sortie_name" "$sortie_hash" "$(quote_or_null "${sortie_inputs#none}")" "$sortie_tool" "$(quote_json "$sortie_prefix")" \
    "$(quote_json "$sortie_python")" "$sortie_version" "$(quote_or_null "$sortie_driver")" "$(quote_or_null "$sortie_cuda")" \
    "${sortie_gpus%,}" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$sortie_version_of_us" >"$sortie_prefix/ready.json.new" &&
    mv -f "$sortie_prefix/ready.json.new" "$sortie_prefix/ready.json" && sortie_ready=$sortie_prefix
}

quote_or_null() {
  if [ -n "$1" ]; then quote_json "$1"; else printf null; fi
}
