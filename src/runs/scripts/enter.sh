# shellcheck shell=sh
# Below this text: a call `enter RUN_DIR FOLDER…`, which becomes a login shell of the person in the first of the folders
# that is there. RUN_DIR may be empty: no run's. A run's id is not passed on: what is started here is none of its
# processes.
enter() {
  if [ -n "$1" ]; then
    SORTIE_RUN_DIR=$1
    export SORTIE_RUN_DIR
  fi
  shift
  sortie_found=''
  for sortie_folder; do
    [ -n "$sortie_found" ] || { cd "$sortie_folder" 2>/dev/null && sortie_found=yes; }
  done
  [ -n "$sortie_found" ] || echo "sortie: that folder is not there; this is $(pwd)" >&2
  exec "${SHELL:-sh}" -l
}
