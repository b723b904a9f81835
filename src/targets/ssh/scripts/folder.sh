# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# What is done to the job folder of a run that does not run. Above this text: sortie_job_folder, sortie_attempt,
# sortie_run_id, sortie_job_dir (the folder that it must lie in; empty: anywhere) and the functions about processes.

# `pid` is made exclusively, as the supervisor makes it: one of the two comes second and does nothing.
close_folder() {
  umask 077
  sortie_files=$sortie_job_folder
  [ "$sortie_attempt" -gt 1 ] && sortie_files=$sortie_job_folder/attempts/$sortie_attempt
  mkdir -p "$sortie_files" && echo closed=yes >"$sortie_files/pid.$$" || return
  if put_once "$sortie_files/pid.$$" "$sortie_files/pid"; then
    rm -f "$sortie_job_folder/env"
    echo closed=yes
  elif [ -e "$sortie_files/pid" ]; then
    echo closed=no
  fi
}

# What killed supervisors and launches had begun to write, and the pipes of their logs.
tidy_folder() {
  rm -f "$sortie_job_folder/env" "$sortie_job_folder"/*.new "$sortie_job_folder"/launching*
  for sortie_files in "$sortie_job_folder" "$sortie_job_folder"/attempts/*; do
    rm -f "$sortie_files"/exit.*.tmp "$sortie_files"/pid.* "$sortie_files"/taken.new "$sortie_files"/log.pipe
  done
}

# Only a folder that is known to be this run's.
remove_folder() {
  if [ ! -d "$sortie_job_folder" ] || [ -L "$sortie_job_folder" ]; then
    [ ! -e "$sortie_job_folder" ] && [ ! -L "$sortie_job_folder" ] && return
    echo "refused=it is no folder"
  elif [ "${sortie_job_folder##*/}" != "$sortie_run_id" ]; then
    echo "refused=it does not have the name of the run"
  elif [ -n "$sortie_job_dir" ] && [ "${sortie_job_folder%/*}" != "${sortie_job_dir%/}" ]; then
    echo "refused=it does not lie in $sortie_job_dir"
  elif ! is_ours; then
    echo "refused=it holds nothing of that run"
  else
    # A frozen copy may hold folders that their owner may not change.
    rm -rf "$sortie_job_folder" 2>/dev/null ||
      { find "$sortie_job_folder" -type d -exec chmod u+rwx {} + && rm -rf "$sortie_job_folder"; }
  fi
}

# Its meta.json names it; a run that never started may have no more than the record of that, or nothing.
is_ours() {
  if [ -e "$sortie_job_folder/meta.json" ]; then
    grep -qF "\"$sortie_run_id\"" "$sortie_job_folder/meta.json"
  else
    [ -e "$sortie_job_folder/pid" ] || [ -e "$sortie_job_folder/stop" ] || [ -z "$(ls -A "$sortie_job_folder")" ]
  fi
}
