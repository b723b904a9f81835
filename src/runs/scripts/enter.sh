# shellcheck shell=sh
enter() {
  if [ -n "$1" ]; then
    SORTIE_RUN_DIR=$1
    export SORTIE_RUN_DIR
  fi
  shift
  found=''
  for folder; do
    [ -n "$found" ] || { cd "$folder" 2>/dev/null && found=yes; }
  done
  if [ -z "$found" ]; then
    cd || exit
    echo "sortie: that folder is not there; this is $(pwd)" >&2
  fi
  exec "${SHELL:-sh}" -l
}
