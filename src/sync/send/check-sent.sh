# shellcheck shell=sh disable=SC2030,SC2031 # the shells within share their settings on purpose
# Whether what was sent is there: contents, links, and the right to execute. manifest.ts says what a manifest holds.
#
#   sortie_check_sent FOLDER MANIFEST   both absolute. Prints lines of `key=value`; succeeds when all is as it was sent:
#     sent_missing=./path     not there; paths are written as in the manifest, with `\\`, `\n` and `\r`
#     sent_different=./path   another content, another target of a link, or no right to execute
#     sent_faults=N           how many there are; at most five of them are named
#     sent_unchecked=WHY      nothing can be said: no_folder, no_manifest, no_tool (sha256sum or shasum), tool_failed
#
# It runs in a shell of its own and changes nothing.

sortie_check_sent() (
  LC_ALL=C
  export LC_ALL
  sortie_manifest=$2
  [ -r "$2" ] || sortie_tell_unchecked no_manifest
  CDPATH='' cd "$1" 2>/dev/null || sortie_tell_unchecked no_folder
  sortie_find_sum || sortie_tell_unchecked no_tool
  {
    sortie_check_plain
    sortie_check_odd
    sortie_check_links
    sortie_check_rights
  } | sort -u | sed -n -e '1,5p' -e '$=' | sortie_tell_faults
)

sortie_tell_unchecked() {
  printf 'sent_unchecked=%s\n' "$1"
  exit 2
}

sortie_find_sum() {
  if command -v sha256sum >/dev/null 2>&1; then
    sortie_sum() { sha256sum "$@"; }
  elif command -v shasum >/dev/null 2>&1; then
    sortie_sum() { shasum -a 256 "$@"; }
  else
    return 1
  fi
}

# All files with plain names at once; only where something is wrong, once more to see what.
sortie_check_plain() {
  [ -n "$(sortie_list_plain | sed 1q)" ] || return 0
  sortie_list_plain | sortie_sum -c >/dev/null 2>&1 && return 0
  sortie_list_plain | sortie_sum -c 2>/dev/null |
    sed -n -e 's/: FAILED$//p' -e 's/: FAILED open or read$//p' | grep . || echo '?'
}

sortie_list_plain() {
  sed -n '/^[0-9a-f]/p' "$sortie_manifest"
}

# Names with escapes one by one: busybox does not know them, and others differ on the carriage return.
sortie_check_odd() {
  sed -n 's/^\\//p' "$sortie_manifest" | while IFS= read -r sortie_line; do
    sortie_decode "${sortie_line#*  }"
    case $({ sortie_sum <"$sortie_text"; } 2>/dev/null) in
      "${sortie_line%%  *} "*) ;;
      *) printf '%s\n' "${sortie_line#*  }" ;;
    esac
  done
}

# The point keeps newlines at the end of a target, which the shell would take away.
sortie_check_links() {
  sed -n '/^#[lt] /p' "$sortie_manifest" | while IFS= read -r sortie_line; do
    case $sortie_line in
      '#l '*) sortie_link=${sortie_line#'#l '} ;;
      *)
        sortie_decode "${sortie_line#'#t '}"
        sortie_target=$(printf '%s\n.' "$sortie_text")
        sortie_decode "$sortie_link"
        [ -L "$sortie_text" ] && [ "$(readlink "$sortie_text" && printf .)" = "$sortie_target" ] ||
          printf '%s\n' "$sortie_link"
        ;;
    esac
  done
}

sortie_check_rights() {
  sed -n 's/^#x //p' "$sortie_manifest" | while IFS= read -r sortie_line; do
    sortie_decode "$sortie_line"
    [ ! -e "$sortie_text" ] || [ -x "$sortie_text" ] || printf '%s\n' "$sortie_line"
  done
}

# Puts the escapes of the manifest back; the answer is in $sortie_text.
sortie_decode() {
  case $1 in
    *\\*)
      sortie_text=$(printf '%b.' "$1")
      sortie_text=${sortie_text%.}
      ;;
    *) sortie_text=$1 ;;
  esac
}

# Reads at most five faults and, where there is any, their number behind them.
sortie_tell_faults() {
  sortie_count=0
  while IFS= read -r sortie_line; do
    case $sortie_line in
      ./*)
        sortie_decode "$sortie_line"
        if [ -e "$sortie_text" ] || [ -L "$sortie_text" ]; then
          printf 'sent_different=%s\n' "$sortie_line"
        else
          printf 'sent_missing=%s\n' "$sortie_line"
        fi
        ;;
      '?') echo sent_unchecked=tool_failed ;;
      *) sortie_count=$sortie_line ;;
    esac
  done
  printf 'sent_faults=%s\n' "$sortie_count"
  [ "$sortie_count" = 0 ]
}
