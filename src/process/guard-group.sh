# Kills the process group $1 when whoever started this script is gone, however it went: its end of our stdin is then
# closed without a word. A word says that the group has ended by itself.
read -r _word || kill -KILL "-$1"
