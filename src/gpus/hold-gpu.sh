# shellcheck shell=sh disable=SC2154 # the settings stand above this text, and the lease functions
# Takes the lease of one GPU of $sortie_gpu_candidates, the first that can be had, and holds it until the other end of
# descriptor 3 is closed. Answers there with one line: `taken UUID`, `held` where others have them all, or `failed`. A
# line that comes in is the time to renew the date of the file.

hold_gpu() {
  sortie_answer=failed
  for sortie_uuid in $sortie_gpu_candidates; do
    lease_take 4 "$sortie_uuid"
    case $? in
      0)
        echo "taken $sortie_uuid" >&3
        while read -r _ <&3; do lease_keep "$sortie_uuid"; done
        return 0
        ;;
      1) sortie_answer=held ;;
    esac
  done
  echo "$sortie_answer" >&3
}

hold_gpu
