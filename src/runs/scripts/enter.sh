# shellcheck shell=sh
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
  if [ -z "$sortie_found" ]; then
    cd || exit
    echo "sortie: that folder is not there; this is $(pwd)" >&2
  fi
  exec "${SHELL:-sh}" -l
}
