# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# What job folders a host has, and what their meta.json say. Above this text: sortie_job_dir, sortie_token.

list_jobs() {
  echo "begin=$sortie_token"
  echo "job_dir=$sortie_job_dir"
  for sortie_folder in "$sortie_job_dir"/*/; do
    sortie_name=${sortie_folder%/}
    sortie_name=${sortie_name##*/}
    case "$sortie_name" in *[!A-Za-z0-9_.-]*) continue ;; esac
    [ ! -d "$sortie_folder" ] || echo "job=$sortie_name"
  done
  echo "end=$sortie_token"
}

# Of the folders with these names, line by line; none is longer than a megabyte.
print_metas() {
  echo "begin=$sortie_token"
  for sortie_name; do
    echo "run=$sortie_name"
    head -c 1000000 "$sortie_job_dir/$sortie_name/meta.json" 2>/dev/null |
      while IFS= read -r sortie_line || [ -n "$sortie_line" ]; do printf 'meta=%s\n' "$sortie_line"; done
  done
  echo "end=$sortie_token"
}
