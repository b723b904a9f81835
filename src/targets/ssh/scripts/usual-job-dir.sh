# shellcheck shell=sh disable=SC2034 # read by the scripts below
sortie_job_dir=${SORTIE_HOME:-.sortie}/jobs
case "$sortie_job_dir" in /*) ;; *) sortie_job_dir=$HOME/$sortie_job_dir ;; esac
