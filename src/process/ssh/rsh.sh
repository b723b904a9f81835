# What rsync starts in place of `ssh`: gets the host's name and `rsync --server …`, of which it takes the latter only.
# Set before: sortie_ssh, a function that is given a command for the host; sortie_command, sortie_token.
: "${sortie_token:?}"
shift
for sortie_word do
  case $sortie_word in
    *[!A-Za-z0-9_./,:+=%@-]* | '') echo "rsync wants a word that no shell can be trusted with: $sortie_word" >&2; exit 96 ;;
  esac
  sortie_command="$sortie_command $sortie_word"
done

# What a start file of the host's shell prints comes before the token and is dropped; `read` takes no byte too many.
sortie_pass_on() {
  while IFS= read -r sortie_line; do
    if [ "$sortie_line" = "$sortie_token" ]; then
      exec cat
    fi
  done
  echo "sortie_rsh=silent" >&2
}

# The exit code is that of ssh. A pipe knows only its last one: it goes round by descriptor 3. rsync may end without
# waiting for ours, hence it is told as well; and it may send USR1 to whom it started, before that was told.
trap '' USR1
exec 4>&1
sortie_code=$({ { sortie_ssh "$sortie_command" 3>&- 4>&-; echo $? >&3; } | sortie_pass_on >&4 3>&- 4>&-; } 3>&1)
exec 4>&-
if [ "$sortie_code" != 0 ]; then
  echo "sortie_rsh_code=$sortie_code" >&2
fi
exit "$sortie_code"
