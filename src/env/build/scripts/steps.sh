# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Says which step begins, in the log: followers read it there. Above this text: sortie_steps (how many there are).
sortie_step_number=0

sortie_step() {
  sortie_step_number=$((sortie_step_number + 1))
  echo "sortie: step $sortie_step_number/$sortie_steps: $1"
}
