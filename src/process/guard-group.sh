# Ends the process group $1 when whoever started this script is gone, however it went: its end of our stdin is then
# closed without a word. A word says that the group has ended by itself. $2: seconds between TERM and KILL; 0: only KILL.
if ! read -r _word; then
  if [ "$2" != 0 ]; then
    kill -TERM "-$1" && sleep "$2"
  fi
  kill -KILL "-$1"
fi
