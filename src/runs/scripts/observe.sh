# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Answers, for all runs of this host in one go, what their job folders and processes say. `key=value` lines: first
# about the host, then a block a run between `run=` and `end=`. Above this text stands sortie_token; below it, a call
# `observe ID FOLDER` for each run.

echo "begin=$sortie_token"
echo "host=$(host_name)"
echo "boot=$(boot_id)"
echo "pid_namespace=$(pid_namespace)"
echo "init_start=$(start_of 1)"
echo "uptime=$(uptime_seconds)"
echo "now=$(utc_now)"

observe() {
  echo "run=$1"
  folder=$2
  attempt=1
  for later in "$folder"/attempts/*/; do
    [ -d "$later" ] || continue
    number=${later%/}
    number=${number##*/}
    case "$number" in *[!0-9]*) continue ;; esac
    [ "$number" -le "$attempt" ] || { attempt=$number; files=$folder/attempts/$number; }
  done
  [ "$attempt" -gt 1 ] || files=$folder
  echo "attempt=$attempt"
  [ -d "$folder" ] && echo "folder=there"
  supervisor='' supervisor_start='' group='' group_start=''
  # Who is found dead has written all that it ever will before that: what is read afterwards is its last word. So the
  # record is read once more after a death, also where it was not there at the first look.
  supervised=yes
  find_supervisor || find_supervisor || find_supervisor || supervised=''
  if [ -n "$group" ] && is_same "$group" "$group_start"; then
    echo "command_alive=yes"
  elif [ -z "$supervised" ] || [ ! -e "$files/exit" ]; then
    carriers=$(carriers_of "$1")
    [ -z "$carriers" ] || echo "carriers=$(printf '%s\n' "$carriers" | tr '\n' ' ')"
    echo "disk_free_kib=$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print $4 }')"
  fi
  print_record exit "$files/exit"
  print_record stop "$files/stop"
  [ ! -f "$files/samples.csv" ] || echo "sampled_at=$(tail -n 1 "$files/samples.csv" | cut -d, -f1)"
  [ ! -f "$files/log" ] || echo "log_bytes=$(wc -c <"$files/log" | tr -d ' ')"
  echo "end=$1"
}

find_supervisor() {
  print_record pid "$files/pid"
  [ -n "$supervisor" ] && is_same "$supervisor" "$supervisor_start" && echo "supervisor_alive=yes"
}

# Prints a record's lines with its name before them, and keeps the numbers of the processes.
print_record() {
  [ -e "$2" ] || return 0
  echo "$1=there"
  while IFS='=' read -r key value || [ -n "$key" ]; do
    case "$key" in
      supervisor) [ "$1" = pid ] && supervisor=$value ;;
      supervisor_start) supervisor_start=$value ;;
      group) group=$value ;;
      group_start) group_start=$value ;;
      closed) echo "closed=yes" ;;
      *' '* | '') continue ;;
    esac
    echo "$1.$key=$value"
  done <"$2" 2>/dev/null
}
