# shellcheck shell=sh disable=SC2034,SC2154 # the settings and the supervisor's state are shared with run.sh
# The supervisor while its command runs: it waits, holds the time limit, passes signals on, and samples.

# For the supervisor's helpers: waits so many seconds, and fails as soon as the supervisor is gone. TERM ends the
# wait and the sleep at once.
pause() {
  read_clock
  sortie_until_cs=$((sortie_now_cs + $1 * 100))
  trap 'kill $sortie_sleeper 2>/dev/null; exit 0' TERM
  while [ "$sortie_now_cs" -lt $sortie_until_cs ]; do
    sortie_left_cs=$((sortie_until_cs - sortie_now_cs))
    sortie_slice=3
    [ $sortie_left_cs -ge 300 ] || sortie_slice=$((sortie_left_cs / 100)).$((sortie_left_cs / 10 % 10))$((sortie_left_cs % 10))
    sleep $sortie_slice &
    sortie_sleeper=$!
    wait $sortie_sleeper
    is_same $$ "$sortie_own_start" || return 1
    read_clock
  done
}

# A caught signal interrupts `wait`, which answers then with the signal's own code: it is asked again. The answer may
# have come already, together with the signal: then there is none left (127), and the first one holds.
wait_for_command() {
  sortie_interrupted=''
  wait "$sortie_group"
  sortie_code=$?
  while [ -n "$sortie_interrupted" ]; do
    sortie_interrupted=''
    wait "$sortie_group"
    sortie_answer=$?
    [ $sortie_answer -eq 127 ] || sortie_code=$sortie_answer
  done
}

# The first one to ask is written down, before any signal is passed on.
ask_stop() {
  sortie_interrupted=yes
  (set -C && printf 'by=%s\nat=%s\n' "$1" "$(utc_now)" >stop) 2>/dev/null
  case "$1" in
    hang_up) sortie_reason=${sortie_reason:-hang_up} ;;
    *) sortie_reason=${sortie_reason:-stopped} ;;
  esac
  if [ -n "$sortie_group" ]; then press "$2"; else sortie_pending=$2; fi
}

ask_limit() {
  sortie_interrupted=yes
  [ -e stop ] && return
  sortie_reason=${sortie_reason:-time_limit}
  press TERM
}

# The first rung is the signal, the second KILL when the grace time is over.
press() {
  signal_group "$1" "$sortie_group"
  sortie_pressed=$?
  [ -z "$sortie_asked" ] || return
  sortie_asked=yes
  {
    drop_leases
    [ $sortie_pressed -eq 0 ] || press_later "$1"
    pause "$sortie_grace_s" && signal_group KILL "$sortie_group"
  } &
  sortie_killer=$!
}

# Just after its start the command is not in its own group yet, and no signal to that group can reach it.
press_later() {
  until signal_group "$1" "$sortie_group"; do
    read_start "$sortie_group" || return
    sleep 0.05
  done
}

# time, bytes of the log, memory of the session in MiB, then memory in MiB, load in percent and power in W of each GPU.
sample_often() {
  drop_leases
  sortie_header=time,log_bytes,memory_mib
  IFS=,
  for sortie_uuid in $sortie_gpus; do sortie_header=$sortie_header,"$sortie_uuid"_memory_mib,"$sortie_uuid"_load_percent,"$sortie_uuid"_power_w; done
  unset IFS
  echo "$sortie_header" >samples.csv
  sortie_count=0
  sortie_page_bytes=$(getconf PAGESIZE 2>/dev/null || echo 4096)
  while :; do
    # Cleaners of temporary folders take files that nobody has touched for days.
    [ $((sortie_count % 1000)) -ne 0 ] || for sortie_uuid in $(echo "$sortie_gpus" | tr , ' '); do lease_keep "$sortie_uuid"; done
    sortie_count=$((sortie_count + 1))
    echo "$(utc_now),$(log_bytes),$(session_memory)$(gpu_sample)" >>samples.csv
    pause "$sortie_sample_s" || {
      # The supervisor is gone: what shows the log would stay for ever.
      [ -z "$sortie_window" ] || kill -KILL "$sortie_window"
      return
    }
  done 2>/dev/null
}

log_bytes() {
  if [ -e log ]; then wc -c <log | tr -d ' '; else echo 0; fi
}

session_memory() {
  if [ -r /proc/self/stat ]; then
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v wanted="$sortie_group" -v page="$sortie_page_bytes" '
      { sub(/^.*\) /, ""); split($0, field, " "); if (field[4] == wanted) pages += field[22] }
      END { printf "%d", pages * page / 1048576 }'
  else
    ps -A -o sess=,rss= 2>/dev/null | awk -v wanted="$sortie_group" '$1 == wanted { kib += $2 } END { printf "%d", kib / 1024 }'
  fi
}

gpu_sample() {
  [ -n "$sortie_gpus" ] || return 0
  sortie_answer=$(ask_gpus uuid,memory.used,utilization.gpu,power.draw)
  # A driver that does not know one of the fields tells none.
  case $? in 0 | 124) ;; *) sortie_answer=$(ask_gpus uuid,memory.used,utilization.gpu) ;; esac
  IFS=,
  for sortie_uuid in $sortie_gpus; do
    printf '%s\n' "$sortie_answer" | awk -F ', *' -v wanted="$sortie_uuid" '
      $1 == wanted { found = 1; printf ",%s,%s,%s", $2 + 0 == $2 ? $2 : "", $3 + 0 == $3 ? $3 : "", $4 + 0 == $4 ? $4 : "" }
      END { if (!found) printf ",,," }'
  done
  unset IFS
}

ask_gpus() {
  $(command -v timeout >/dev/null 2>&1 && echo timeout 5) nvidia-smi -i "$sortie_gpus" --query-gpu="$1" --format=csv,noheader,nounits 2>/dev/null
}
