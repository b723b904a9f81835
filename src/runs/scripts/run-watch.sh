# shellcheck shell=sh disable=SC2034,SC2154 # the settings and the supervisor's state are shared with run.sh
# The supervisor while its command runs: it waits, holds the time limit, passes signals on, and samples.

# For the supervisor's helpers: waits so many seconds, and fails as soon as the supervisor is gone. TERM ends the
# wait and the sleep at once.
pause() {
  left=$1
  trap 'kill $sleeper 2>/dev/null; exit 0' TERM
  while [ "$left" -gt 0 ]; do
    slice=$((left < 3 ? left : 3))
    sleep $slice &
    sleeper=$!
    wait $sleeper
    is_same $$ "$own_start" || return 1
    left=$((left - slice))
  done
}

# A caught signal interrupts `wait` without its answer: then the wait is taken up again.
wait_for_command() {
  while :; do
    interrupted=''
    wait "$group"
    code=$?
    [ -n "$interrupted" ] || return
    # The answer had come already, together with the signal.
    if [ ! -e "/proc/$group" ] && ! kill -0 "$group" 2>/dev/null; then return; fi
  done
}

# The first one to ask is written down, before any signal is passed on.
ask_stop() {
  interrupted=yes
  (set -C && printf 'by=%s\nat=%s\n' "$1" "$(utc_now)" >stop) 2>/dev/null
  case "$1" in
    hang_up) reason=${reason:-hang_up} ;;
    *) reason=${reason:-stopped} ;;
  esac
  if [ -n "$group" ]; then press "$2"; else pending=$2; fi
}

ask_limit() {
  interrupted=yes
  [ -e stop ] && return
  reason=${reason:-time_limit}
  press TERM
}

# The first rung is the signal, the second KILL when the grace time is over.
press() {
  signal_group "$1" "$group"
  [ -z "$asked" ] || return
  asked=yes
  { drop_leases; pause "$sortie_grace_s" && signal_group KILL "$group"; } &
  killer=$!
}

# time, bytes of the log, memory of the session in MiB, then memory in MiB and load in percent of each GPU.
sample_often() {
  drop_leases
  header=time,log_bytes,memory_mib
  IFS=,
  for uuid in $gpus; do header=$header,"$uuid"_memory_mib,"$uuid"_load_percent; done
  unset IFS
  echo "$header" >samples.csv
  count=0
  while :; do
    # Cleaners of temporary folders take files that nobody has touched for days.
    [ $((count % 1000)) -ne 0 ] || for uuid in $(echo "$gpus" | tr , ' '); do lease_keep "$uuid"; done
    count=$((count + 1))
    echo "$(utc_now),$(log_bytes),$(session_memory)$(gpu_sample)" >>samples.csv
    pause "$sortie_sample_s" || return
  done 2>/dev/null
}

log_bytes() {
  if [ -e log ]; then wc -c <log | tr -d ' '; else echo 0; fi
}

session_memory() {
  if [ -r /proc/self/stat ]; then
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v wanted="$group" '
      { sub(/^.*\) /, ""); split($0, field, " "); if (field[4] == wanted) pages += field[22] }
      END { printf "%d", pages * 4096 / 1048576 }'
  else
    ps -A -o sess=,rss= 2>/dev/null | awk -v wanted="$group" '$1 == wanted { kib += $2 } END { printf "%d", kib / 1024 }'
  fi
}

gpu_sample() {
  [ -n "$gpus" ] || return 0
  answer=$($(command -v timeout >/dev/null 2>&1 && echo timeout 5) nvidia-smi -i "$gpus" --query-gpu=uuid,memory.used,utilization.gpu --format=csv,noheader,nounits 2>/dev/null)
  IFS=,
  for uuid in $gpus; do
    printf '%s\n' "$answer" | awk -F ', *' -v wanted="$uuid" '
      $1 == wanted { found = 1; printf ",%s,%s", $2 + 0 == $2 ? $2 : "", $3 + 0 == $3 ? $3 : "" }
      END { if (!found) printf ",," }'
  done
  unset IFS
}
