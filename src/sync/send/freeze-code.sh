# shellcheck shell=sh disable=SC2030,SC2031 # the shells within share their settings on purpose
# A copy of the code for one run, which later syncs do not touch.
#
#   sortie_freeze_code CODE LIST COPY [RESULT...]
#
# CODE, LIST and COPY are absolute. The files that LIST names (from CODE, each ended by NUL) are copied to COPY, a
# new folder. What else lies at the top of CODE (data, checkpoints) is linked there, and so is what lies beside sent
# files in the folders of $sortie_data_folders. Names that match a RESULT are not: the run writes its own. Faults are
# told on stderr. It runs in a shell of its own.

sortie_freeze_code() (
  LC_ALL=C
  export LC_ALL
  sortie_code=$1
  sortie_list=$2
  sortie_copy=$3
  shift 3
  CDPATH='' cd "$sortie_code" && mkdir "$sortie_copy" && sortie_copy_sent && sortie_link_rest . "$@"
)

sortie_copy_sent() {
  [ -s "$sortie_list" ] || return 0
  case $(cp --version 2>/dev/null) in
    *coreutils*) xargs -0 cp --parents --reflink=auto -pP -t "$sortie_copy" -- <"$sortie_list" ;;
    *) sortie_copy_one_by_one ;;
  esac
}

sortie_copy_one_by_one() {
  # shellcheck disable=SC2016 # the inner shell is the one that fills these in
  xargs -0 sh -c '
    copy=$1
    shift
    for file do
      [ -d "$copy/${file%/*}" ] || mkdir -p "$copy/${file%/*}" || exit 1
      cp -pP "$file" "$copy/$file" || exit 1
    done' sh "$sortie_copy" <"$sortie_list"
}

# In a shell of its own, as it calls itself.
sortie_link_rest() (
  sortie_folder=$1
  shift
  sortie_list_rest "$@" | sortie_link_all || exit 1
  for sortie_entry in "$sortie_folder"/* "$sortie_folder"/.[!.]* "$sortie_folder"/..?*; do
    if sortie_is_mixed; then sortie_link_rest "$sortie_entry" || exit 1; fi
  done
)

sortie_list_rest() {
  for sortie_entry in "$sortie_folder"/* "$sortie_folder"/.[!.]* "$sortie_folder"/..?*; do
    if [ -e "$sortie_entry" ] || [ -L "$sortie_entry" ]; then
      sortie_is_copied || sortie_is_result "$@" || printf '%s\0' "$sortie_code/${sortie_entry#./}"
    fi
  done
}

sortie_link_all() {
  # shellcheck disable=SC2016 # the inner shell is the one that fills these in
  xargs -0 sh -c 'folder=$1; shift; [ $# -eq 0 ] || ln -s "$@" "$folder"' sh "$sortie_copy/$sortie_folder/"
}

sortie_is_copied() {
  [ -e "$sortie_copy/$sortie_entry" ] || [ -L "$sortie_copy/$sortie_entry" ]
}

# A result's name may be a pattern.
sortie_is_result() {
  for sortie_result do
    # shellcheck disable=SC2254
    case ${sortie_entry#./} in $sortie_result) return 0 ;; esac
  done
  return 1
}

# A folder of data in which files of code were sent.
sortie_is_mixed() {
  [ -d "$sortie_copy/$sortie_entry" ] && [ ! -L "$sortie_copy/$sortie_entry" ] || return 1
  sortie_top=${sortie_entry#./}
  case " ${sortie_data_folders:-} " in *" ${sortie_top%%/*} "*) return 0 ;; esac
  return 1
}
