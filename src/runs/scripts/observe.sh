# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Answers, for all runs of this host in one go, what their job folders and processes say. `key=value` lines: first
# about the host, then a block a run between `run=` and `end=`. Above this text stands sortie_token; below it, a call
# `observe ID FOLDER` for each run.

echo "begin=$sortie_token"
read_host
echo "host=$sortie_host"
echo "boot=$sortie_boot"
echo "pid_namespace=$(pid_namespace)"
echo "init_start=$(start_of 1)"
echo "uptime=$(uptime_seconds)"
echo "now=$(utc_now)"

observe() {
  echo "run=$1"
  sortie_folder=$2
  sortie_attempt=1
  for sortie_later in "$sortie_folder"/attempts/*/; do
    [ -d "$sortie_later" ] || continue
    sortie_number=${sortie_later%/}
    sortie_number=${sortie_number##*/}
    case "$sortie_number" in *[!0-9]*) continue ;; esac
    [ "$sortie_number" -le "$sortie_attempt" ] || { sortie_attempt=$sortie_number; sortie_files=$sortie_folder/attempts/$sortie_number; }
  done
  [ "$sortie_attempt" -gt 1 ] || sortie_files=$sortie_folder
  echo "attempt=$sortie_attempt"
  [ -d "$sortie_folder" ] && echo "folder=there"
  sortie_supervisor='' sortie_supervisor_start='' sortie_group='' sortie_group_start=''
  # Who is found dead has written all that it ever will before that: what is read afterwards is its last word. So the
  # record is read once more after a death, also where it was not there at the first look.
  sortie_supervised=yes
  find_supervisor || find_supervisor || find_supervisor || sortie_supervised=''
  if [ -n "$sortie_group" ] && is_same "$sortie_group" "$sortie_group_start"; then
    echo "command_alive=yes"
  elif [ -z "$sortie_supervised" ] || [ ! -e "$sortie_files/exit" ]; then
    sortie_carriers=$(carriers_of "$1")
    [ -z "$sortie_carriers" ] || echo "carriers=$(printf '%s\n' "$sortie_carriers" | tr '\n' ' ')"
    echo "disk_free_kib=$(df -Pk "$sortie_folder" 2>/dev/null | awk 'NR == 2 { print $4 }')"
  fi
  print_record exit "$sortie_files/exit"
  print_record stop "$sortie_files/stop"
  [ ! -f "$sortie_files/samples.csv" ] || echo "sampled_at=$(tail -n 1 "$sortie_files/samples.csv" | cut -d, -f1)"
  [ ! -f "$sortie_files/log" ] || echo "log_bytes=$(wc -c <"$sortie_files/log" | tr -d ' ')"
  echo "end=$1"
}

find_supervisor() {
  print_record pid "$sortie_files/pid"
  [ -n "$sortie_supervisor" ] && is_same "$sortie_supervisor" "$sortie_supervisor_start" && echo "supervisor_alive=yes"
}

# Prints a record's lines with its name before them, and keeps the numbers of the processes.
print_record() {
  [ -e "$2" ] || return 0
  echo "$1=there"
  while IFS='=' read -r sortie_key sortie_value || [ -n "$sortie_key" ]; do
    case "$sortie_key" in
      supervisor) [ "$1" = pid ] && sortie_supervisor=$sortie_value ;;
      supervisor_start) sortie_supervisor_start=$sortie_value ;;
      group) sortie_group=$sortie_value ;;
      group_start) sortie_group_start=$sortie_value ;;
      closed) echo "closed=yes" ;;
      *' '* | '') continue ;;
    esac
    echo "$1.$sortie_key=$sortie_value"
  done <"$2" 2>/dev/null
}
